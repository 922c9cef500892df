import { beforeAll, describe, expect, test } from "vitest";
import { buildClient, folder, nodes, questionsProgram, run } from "./testing/rig.ts";

type Question = readonly [action: string, args: Readonly<Record<string, unknown>>];
let build: string;

beforeAll(async () => {
  build = await buildClient();
});

const file = { path: "file", resolved_path: "HERE/file" };
const moved = { path: "moved", resolved_path: "HERE/moved" };
const tree = { path: "tree", resolved_path: "HERE/tree" };
const copied = (name: string) => ({ ...tree, dest: name, resolved_dest: `HERE/${name}`, options: { recursive: true } });
const removed = (name: string) => ({ path: name, resolved_path: `HERE/${name}`, options: { recursive: true } });

describe.each(nodes)("on Node %s", (version, node) => {
  let asked: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    const { code, stdout, stderr } = await run(node, [questionsProgram], folder(), {
      INTERLOCK_BUILD: build,
      NODE_NO_WARNINGS: "1",
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    asked = JSON.parse(stdout);
  });

  test.each<[string, Question]>([
    ["readFile", ["fs.readFile", { ...file, options: "utf8" }]],
    ["readFileSync", ["fs.readFile", { ...file, options: { encoding: "utf8" } }]],
    ["readFileSync, bytes", ["fs.readFile", file]],
    ["promises.readFile", ["fs.readFile", file]],
    ["writeFile", ["fs.writeFile", { ...file, data: "data", options: { mode: 0o600 } }]],
    ["appendFile", ["fs.appendFile", { ...file, data: "data" }]],
    ["appendFileSync", ["fs.appendFile", { ...file, data: "data" }]],
    ["truncate", ["fs.truncate", { ...file, len: 2 }]],
    ["truncateSync", ["fs.truncate", { ...file, len: 1 }]],
    ["exists", ["fs.exists", file]],
    ["realpath", ["fs.realpath", { path: "link/inner", resolved_path: "HERE/tree/inner" }]],
    ["rename", ["fs.rename", { ...file, dest: "moved", resolved_dest: "HERE/moved" }]],
    ["symlink", ["fs.symlink", { target: "moved", resolved_target: "HERE/moved", ...file }]],
    ["utimes", ["fs.utimes", { ...moved, atime: 1, mtime: 2 }]],
    ["cp", ["fs.cp", copied("copied")]],
    ["cpSync", ["fs.cp", copied("copied2")]],
    ["promises.cp", ["fs.cp", copied("copied3")]],
    ["rm", ["fs.rm", removed("copied")]],
    ["rmSync", ["fs.rm", removed("copied2")]],
    ["promises.rm", ["fs.rm", removed("copied3")]],
    ["open", ["fs.open", { ...moved, flags: "r", mode: 0o600 }]],
    ["createReadStream", ["fs.createReadStream", moved]],
    ["createWriteStream", ["fs.createWriteStream", moved]],
    ["new ReadStream", ["fs.open", { ...moved, flags: "r", mode: 0o666 }]],
  ])("one call is one question: %s", (call, question) => {
    expect(asked[`${call} failed`]).toBeUndefined();
    expect(asked[call]).toEqual([question]);
  });

  test.each(version === "20" ? [] : ["glob", "globSync", "promises.glob"])(
    "one pattern is one question: %s",
    (call) => {
      const args = { pattern: "**/leaf", options: { cwd: "tree" }, resolved_path: "HERE/tree" };
      expect(asked[call]).toEqual([["fs.glob", args]]);
    },
  );

  test("of large data rules see the length and a digest", () => {
    const [[, { data }]] = asked["large data"] as [Question];
    expect(data).toEqual({ bytes: 1 << 20, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test.each(["large bytes that change", "a large list that changes", "large shared memory that changes", "large text"])(
    "what is written is what the digest was of: %s",
    (label) => {
      expect(asked[`${label} failed`]).toBeUndefined();
      expect(asked[label]).toHaveLength(1);
      expect(asked[`${label} is written`]).toBe(true);
    },
  );

  test("what was judged is what runs: getters, bytes, URLs by shape, proxies", () => {
    expect(asked.value).not.toMatch(/^[0-9a-f]{2,}$/);
    expect(asked.bytes).toBe(asked.value);
    expect(asked["a URL by shape that changes"]).toEqual([["fs.readFile", { path: "HERE/moved" }]]);
    expect(asked["a proxy that becomes a URL"]).toEqual([]);
    expect(asked["a proxy that becomes a URL failed"]).toBe("Cannot convert object to primitive value");
  });

  test("code of the program's that runs inside of a call is asked for itself", () => {
    const actions = (call: string) => (asked[call] as Question[]).map(([action]) => action);
    expect(actions("a getter that reads inside of another call")).toEqual(["fs.readFile", "fs.writeFile"]);
    expect(actions("a filter that reads inside of cp")).toEqual(["fs.cp", ...Array(3).fill("fs.lstat")]);
    expect(actions("a hook that reads inside of cp")).toEqual(["fs.cp", "fs.lstat"]);
    expect(actions("a callback of realpath that reads")).toEqual(["fs.realpath", "fs.lstat"]);
  });

  test("a link that is swapped while it is asked about is asked about again, and blocked", () => {
    const call = "a link that is swapped while it is asked about";
    expect(asked[`${call} failed`]).toMatch(/is secret/);
  });

  test("what was swapped before it is opened is asked about as what it is, and blocked before it is cut off", () => {
    const questions = (label: string) => (asked[label] as Question[]).map(([, args]) => args);
    const leads = (name: string) => expect.objectContaining({ path: "later", resolved_path: `HERE/${name}` });
    for (const label of ["a link swapped to the secret", "a write through a link swapped to the secret"]) {
      expect(questions(label)).toEqual([leads("first"), leads("secret/file")]);
      expect(asked[`${label} failed`]).toMatch(/is secret/);
    }
    expect(asked["the secret afterwards"]).toBe("the secret");
    expect(questions("a link swapped to another file")).toEqual([leads("first"), leads("second")]);
    expect(asked["a link swapped to another file text"]).toBe("the second");
    expect(asked["a stream whose path and flags are changed"]).toHaveLength(1);
    expect(asked["changed stream"]).toBe("the first");
    expect(asked["gone file"]).toBe("the first");
  });

  test.each([{ resolved_path: "/x" }, { path: 5 }, { nonsense: true }, { path: "a\0b" }])(
    "a rewrite that nothing can come of is a block: %j",
    (rewrite) => {
      expect(asked[`rewrite ${JSON.stringify(rewrite)} failed`]).toMatch(/^blocked action 'fs.readFile'/);
    },
  );

  test("a rewrite adds an option that the caller did not pass, and leaves the callback", () => {
    expect(asked.hex).toMatch(/^[0-9a-f]+$/);
  });

  test("functions keep their names, lengths and properties; after uninstall nothing is asked", () => {
    expect(asked.shape).toEqual(["readFile", 3, expect.any(String), "function", "AsyncFunction"]);
    expect(asked.uninstalled).toEqual([]);
  });
});
