import type { WireObject, WireValue } from "../../wire/value.ts";
import { readArguments, readScript, type Script } from "../shell/script.ts";
import { isUnnamed } from "./named-arguments.ts";

/** Tools that run commands, by the names that agents and MCP servers give them. */
export const commandActions: readonly string[] = Object.freeze([
  "bash",
  "Bash",
  "shell",
  "exec",
  "execute",
  "run_command",
  "execute_command",
  "run_shell_command",
  "run_terminal_cmd",
  "terminal",
  "child_process.*",
]);

/** The client's names of calls that start a program without a shell. */
const withoutShell = /^child_process\.(?:execFile|execFileSync|spawn|spawnSync|fork)$/;

const names = ["command", "cmd", "script"] as const;

export interface CommandArgument {
  /** The argument's name. */
  readonly name: string;
  readonly script: Script;
}

/**
 * Every command a call would run. A text with a list of arguments beside it is read both ways, as a program with its
 * arguments and as a line for a shell, because tools differ. Throws `Unparseable`.
 */
export const commandsIn = (action: string, args: WireObject): Promise<readonly CommandArgument[]> => {
  // Several rules judge the same call: its arguments are frozen, so they are read once.
  const known = alreadyRead.get(args);
  if (known?.action === action) return known.commands;
  const commands = read(action, args);
  alreadyRead.set(args, { action, commands });
  return commands;
};

const alreadyRead = new WeakMap<
  WireObject,
  { readonly action: string; readonly commands: Promise<readonly CommandArgument[]> }
>();

const read = async (action: string, args: WireObject): Promise<readonly CommandArgument[]> => {
  const found: CommandArgument[] = [];
  for (const name of isUnnamed(args) ? ["input"] : names) {
    const value = args[name];
    if (typeof value === "string")
      for (const script of await readText(action, value, args)) found.push({ name, script });
    else if (isTexts(value)) found.push({ name, script: await readArguments(value) });
  }
  return found;
};

const readText = async (action: string, text: string, args: WireObject): Promise<readonly Script[]> => {
  const list = isTexts(args.args) ? args.args : [];
  const options = args.options;
  const byShell = typeof options === "object" && options !== null && "shell" in options && options.shell !== false;
  const argv = await readArguments([text, ...list]);
  if (withoutShell.test(action) && !byShell) return [argv];
  const line = await readScript([text, ...list].join(" "));
  return list.length === 0 ? [line] : [argv, line];
};

const isTexts = (value: WireValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
