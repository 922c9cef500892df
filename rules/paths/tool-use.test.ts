import { describe, expect, it } from "vitest";
import { isFileTool } from "./file-tools.ts";
import { opensForWriting, toolUse, usesOf } from "./tool-use.ts";

describe("what a tool does to files", () => {
  it.each([
    ["read_file", "reads"],
    ["mcp__files__read_file", "reads"],
    ["createFile", "writes"],
    ["Write", "writes"],
    ["fs.createReadStream", "reads"],
    ["fs.unlink", "deletes"],
    ["fs.copyFile", "copies"],
    ["list_directory", "lists"],
    ["str_replace_editor", "writes"],
    ["frobnicate", "unknown"],
    ["constructor", "unknown"],
  ])("%s: %s", (action, use) => expect(toolUse(action)).toBe(use));

  it("of a copy reads its source and writes its destination", () => {
    expect(usesOf("copies", "source")).toEqual(["read", "list"]);
    expect(usesOf("copies", "destination")).toContain("write");
  });

  it("of fs.open is by its flags", () => {
    expect([undefined, "r", "w", "a+", 0, 1, 2].map((flags) => opensForWriting("fs.open", flags))).toEqual([
      false,
      false,
      true,
      true,
      false,
      true,
      true,
    ]);
  });

  it.each(["read_file", "mcp__fs__write_file", "fs.readFile", "WriteFile", "str_replace_based_edit_tool"])(
    "%s is a file tool",
    (action) => expect(isFileTool(action)).toBe(true),
  );
  it.each(["fetch", "get_file_contents", "send_mail", "bash"])("%s is none", (action) =>
    expect(isFileTool(action)).toBe(false),
  );
});
