import { describe, expect, it } from "vitest";
import { heldHandleStart, heldStart } from "./start-options.ts";

describe("what a handle is told to start", () => {
  it("is one object, or a list by position; both are made again as they were", () => {
    const options = { file: "ls", args: ["ls", "-l"], cwd: "/", envPairs: ["A=1"] };
    const one = heldHandleStart([{ ...options, stdio: [] }]);
    expect(one?.options).toEqual({ ...options, stdio: [] });
    expect(one?.again({ file: "id" })).toEqual([{ file: "id" }]);
    const list = heldHandleStart(["ls", ["ls", "-l"], "/", ["A=1"], [], 0, 1, 2]);
    expect(list?.options).toEqual(options);
    expect(list?.again({ ...options, envPairs: ["B=2"] })).toEqual(["ls", ["ls", "-l"], "/", ["B=2"], [], 0, 1, 2]);
  });

  it.each([
    ["nothing", []],
    ["a number", [1]],
    ["no file", [{}]],
    ["a file that is no text", [{ file: { toString: (): string => "ls" } }]],
    ["arguments that are no list", [{ file: "ls", args: "-l" }]],
    ["an environment that is no list", [{ file: "ls", envPairs: "A=1" }]],
    ["arguments by position that are no list", ["ls", "-l"]],
  ])("is not known: %s", (_name, given) => {
    expect(heldHandleStart(given)).toBeNull();
    expect(heldStart(given[0])).toBeNull();
  });

  it("is read once: a list that says another thing later is not what runs", () => {
    let count = 0;
    const given = { file: "ls", args: [{ toString: (): string => (count++ === 0 ? "first" : "second") }] };
    expect(heldStart(given)?.args).toEqual(["first"]);
    given.args.length = 0;
    expect(heldStart({ file: "ls", args: undefined })).toEqual({ file: "ls", cwd: undefined });
  });
});
