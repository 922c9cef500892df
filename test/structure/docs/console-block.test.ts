import { expect, it } from "vitest";
import { consoleSteps } from "./console-block.ts";

it("reads commands with their output and their lines", () => {
  expect(consoleSteps(["$ a", "one", "", "two", "", "$ b \\", "> c", "$ d &"], 10)).toEqual([
    { command: "a", background: false, expected: ["one", "", "two"], line: 10 },
    { command: "b \\\nc", background: false, expected: [], line: 15 },
    { command: "d &", background: true, expected: [], line: 17 },
  ]);
});

it("does not take `&&` at the end of a line for the background", () => {
  expect(consoleSteps(["$ a &&", "> b"], 1)[0]?.background).toBe(false);
});

it("refuses output before the first command", () => {
  expect(() => consoleSteps(["out", "$ a"], 4)).toThrow("line 4: a console block begins with a command");
});

it("refuses a block without a command", () => {
  expect(() => consoleSteps([], 4)).toThrow("line 4: a console block has a command");
});
