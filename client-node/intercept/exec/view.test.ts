import { describe, expect, it } from "vitest";
import { readCommandLine, readFileCall, readForkCall, readSpawnCall } from "./call.ts";
import { changedCall, viewOf } from "./view.ts";

const read = (...args: unknown[]) => {
  const call = readFileCall(args);
  if (call === null) throw new Error("misuse");
  return call;
};

describe("what a rule sees of a start", () => {
  it("is {command, args, options}, by position or not", () => {
    expect(viewOf(read("ls", ["-l"], { cwd: "/" }, () => {}))).toEqual({
      command: "ls",
      args: ["-l"],
      options: { cwd: "/" },
    });
    expect(viewOf(read("ls", { cwd: "/" }, () => {}))).toEqual({ command: "ls", options: { cwd: "/" } });
    expect(viewOf(read("ls", () => {}))).toEqual({ command: "ls" });
    expect(viewOf(read("ls", undefined, undefined, () => {}))).toEqual({ command: "ls" });
  });

  it("has every argument as text, a folder as a path, and the environment with what it inherits", () => {
    const env = Object.create({ A: 1 }, { B: { value: true, enumerable: true } });
    expect(viewOf(read("ls", [1, null, true], { cwd: new URL("file:///a%20b"), env }))).toEqual({
      command: "ls",
      args: ["1", "null", "true"],
      options: { cwd: "/a b", env: { A: "1", B: "true" } },
    });
    const module = readForkCall([new URL("file:///a%20b.js")]);
    expect(module?.command).toBe("/a b.js");
    expect(readForkCall([Buffer.from("/x.js")])?.command).toBe("/x.js");
  });

  it("has input that another thread changes as it was when it was read", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(1);
    const call = readSpawnCall(["cat", [], { input: shared }]);
    shared.fill(2);
    expect(call?.options?.input).toEqual(Buffer.from([1, 1, 1, 1]));
  });

  it("has long data by length and digest, and a long command whole", () => {
    const line = "a".repeat(100_000);
    const call = readCommandLine([line, { input: Buffer.alloc(70_000) }]);
    if (call === null) throw new Error("misuse");
    expect(viewOf(call)).toMatchObject({ command: line, options: { input: { bytes: 70_000 } } });
  });

  it("is not changed by the caller afterwards", () => {
    const args = ["a"];
    const options = { env: { A: "1" }, stdio: ["pipe"] };
    const call = read("ls", args, options);
    args[0] = "b";
    options.env.A = "2";
    options.stdio[0] = "ignore";
    expect(viewOf(call)).toEqual({ command: "ls", args: ["a"], options: { env: { A: "1" }, stdio: ["pipe"] } });
  });

  it.each([
    ["a command that is no text", [1]],
    ["arguments that are no list", ["ls", 1]],
    ["options that are no object", ["ls", [], "options"]],
  ])("is nothing for %s: Node refuses it", (_name, args) => {
    expect(readSpawnCall(args)).toBeNull();
    expect(readFileCall(args)).toBeNull();
    expect(readForkCall(args)).toBeNull();
  });
});

describe("a rewrite of a start", () => {
  const { signal } = new AbortController();
  const callback = () => {};
  const call = read("ls", ["-l"], { cwd: "/", signal, env: { A: "1" } }, callback);
  const view = viewOf(call);

  it("changes what it names; what rules are not shown stays, the callback too", () => {
    expect(changedCall(call, { ...view, args: ["-a"] })).toEqual({ ...call, args: ["-a"] });
    expect(changedCall(call, { ...view, options: { cwd: "/tmp" } })).toEqual({
      ...call,
      options: { cwd: "/tmp", signal },
    });
    expect(changedCall(call, { command: "id" })).toEqual({
      command: "id",
      args: undefined,
      options: { signal },
      callback,
    });
  });

  it("can add options that the caller did not give", () => {
    expect(changedCall(read("ls", callback), { command: "ls", options: { timeout: 5 } })).toEqual({
      command: "ls",
      args: undefined,
      options: { timeout: 5 },
      callback,
    });
  });

  it.each([
    ["no command", { args: [] }],
    ["a command that is no text", { command: 1 }],
    ["arguments that are no list", { command: "ls", args: "-a" }],
    ["options that are no object", { command: "ls", options: 1 }],
  ])("that leaves %s fits no call", (_name, changed) => {
    expect(() => changedCall(call, changed)).toThrow(TypeError);
  });
});
