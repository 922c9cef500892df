import { describe, expect, it } from "vitest";
import type { WireObject } from "../../wire/value.ts";
import { commandsIn, holdsCommand } from "./command-arguments.ts";
import { Unparseable } from "./parse.ts";

const programs = async (action: string, args: WireObject): Promise<readonly string[]> =>
  (await commandsIn(action, args)).flatMap(({ name, script }) => script.commands.map((one) => `${name}: ${one.name}`));

describe("where a call holds a command", () => {
  it.each<[string, string, WireObject, string]>([
    ["an argument of a tool that runs commands", "bash", { command: "rm a" }, "command: rm"],
    ["in another case", "bash", { Command: "rm a" }, "Command: rm"],
    ["a tool whose name says nothing", "run", { script: "rm a" }, "script: rm"],
    ["a program with its arguments beside it", "run", { cmd: "rm", args: ["a"] }, "cmd: rm"],
    ["an executable", "start_process", { executable: "/bin/rm", arguments: ["a"] }, "executable: rm"],
    ["a list of arguments", "run", { argv: ["rm", "a"] }, "argv: rm"],
    ["a list without a program beside it", "shell", { args: ["rm", "a"] }, "args: rm"],
    ["a call inside of a call", "call_tool", { name: "bash", arguments: { command: "rm a" } }, "arguments.command: rm"],
    ["a call in a list", "batch", { calls: [{ args: { command: "rm a" } }] }, "calls[0].args.command: rm"],
    ["one line in a list", "bash", { command: ["rm a"] }, "command: rm"],
    ["lines in a list", "bash", { commands: ["ls", "rm a"] }, "commands: rm"],
    ["bytes", "execute_command", { command: Buffer.from("rm a") }, "command: rm"],
    ["a member of the argument", "bash", { command: { text: "rm a" } }, "command.text: rm"],
    ["what is typed into a terminal", "terminal_write", { data: "rm a\r" }, "data: rm"],
    ["what a shell reads", "bash", { command: "sh", stdin: "rm a" }, "stdin: rm"],
    ["a tool that is a program", "git", { args: ["push", "-f"] }, "args: git"],
    ["a line for a tool that is a program", "mcp__x__kubectl_run", { command: "delete ns a" }, "command: kubectl"],
  ])("%s", async (_what, action, args, expected) => {
    expect(holdsCommand(action, args)).toBe(true);
    expect(await programs(action, args)).toContain(expected);
  });

  it("a variable by which programs load others is read as env reads it; others are not", async () => {
    const [, environment] = await commandsIn("bash", {
      command: "ls",
      env: { PATH: "/bin", LD_PRELOAD: "/tmp/x.so" },
    });
    expect(environment?.script.assignments.map(({ name }) => name)).toEqual(["LD_PRELOAD"]);
  });

  it.each<[string, string, WireObject]>([
    ["prose", "assistant", { command: "Don't find Bob's phone" }],
    ["a command of another program", "text_editor", { command: "create", path: "a" }],
    ["a program in JavaScript", "run_script", { script: "const a = () => `x`; rm(a)" }],
    ["a program in a language that is named", "execute_code", { code: "import os", language: "python" }],
    ["a text of a tool that processes", "process_payment", { text: "kill it" }],
    ["a statement of a database", "execute_sql", { script: "TRUNCATE t" }],
  ])("%s is none", async (_what, action, args) => {
    expect(await programs(action, args)).toEqual([]);
  });

  it("what a tool that runs commands is given must be readable", async () => {
    await expect(commandsIn("bash", { command: "echo 'a" })).rejects.toThrow(Unparseable);
    await expect(commandsIn("bash", { calls: Array.from({ length: 100 }, () => ({ command: "ls" })) })).rejects.toThrow(
      Unparseable,
    );
  });
});
