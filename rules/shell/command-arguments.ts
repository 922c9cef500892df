import type { WireObject, WireValue } from "../../wire/value.ts";
import { foreignTool, isCommandTool } from "./command-tools.ts";
import { foreignScript, readArguments, readScript, type Script } from "./script.ts";
import { isUnnamed } from "./unnamed-argument.ts";

export { commandActions } from "./command-tools.ts";

/** The client's names of calls that start a program without a shell. */
const withoutShell = /^child_process\.(?:execFile|execFileSync|spawn|spawnSync|fork)$/;

const names = ["command", "cmd", "script", "commands", "command_line", "commandLine", "shell_command"] as const;

export interface CommandArgument {
  /** The argument's name. */
  readonly name: string;
  readonly script: Script;
}

/** Does a call run a command, as far as its name and the names of its arguments tell? Costs less than a microsecond. */
export const holdsCommand = (action: string, args: WireObject): boolean =>
  isCommandTool(action) && (isUnnamed(args) || names.some((name) => args[name] !== undefined));

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
    else if (isTexts(value)) found.push({ name, script: await argvOf(value) });
  }
  return found;
};

const readText = async (action: string, text: string, args: WireObject): Promise<readonly Script[]> => {
  const list = isTexts(args.args) ? args.args : [];
  const options = args.options;
  const byShell = typeof options === "object" && options !== null && "shell" in options && options.shell !== false;
  if (withoutShell.test(action) && !byShell) return [await argvOf([text, ...list])];
  const foreign = foreignTool(action);
  if (foreign !== null) return [foreignScript(foreign, [text, ...list].join(" "))];
  const line = await lineOf([text, ...list].join(" "));
  return list.length === 0 ? [line] : [await argvOf([text, ...list]), line];
};

const argvOf = (argv: readonly string[]): Promise<Script> =>
  remembered(`argv\0${argv.join("\0")}`, () => readArguments(argv));
const lineOf = (text: string): Promise<Script> => remembered(`line\0${text}`, () => readScript(text));

/** Agents run the same commands again and again. Texts are kept up to this many characters in all; the oldest go first. */
const maxRememberedCharacters = 1_048_576;
const maxRememberedText = 16_384;
const scripts = new Map<string, Promise<Script>>();
let rememberedCharacters = 0;

/** The same text is the same script: it is read once, also where reading it fails. */
const remembered = (key: string, readIt: () => Promise<Script>): Promise<Script> => {
  const before = scripts.get(key);
  if (before !== undefined) return before;
  const script = readIt();
  if (key.length > maxRememberedText) return script;
  // Whoever asked is told; that nobody asks again must not end the process.
  script.catch(() => {});
  scripts.set(key, script);
  rememberedCharacters += key.length;
  for (const [oldest] of scripts) {
    if (rememberedCharacters <= maxRememberedCharacters) break;
    scripts.delete(oldest);
    rememberedCharacters -= oldest.length;
  }
  return script;
};

const isTexts = (value: WireValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
