import type { WireObject, WireValue } from "../../wire/value.ts";
import { remembered } from "../remembered.ts";
import { textsOf } from "../scan/texts.ts";
import { isUnnamed } from "../unnamed-argument.ts";
import { isCommandTool, isTypedInto, languageTool, programTool } from "./command-tools.ts";
import { changesWhatRuns } from "./loading-variables.ts";

type Holder = { readonly [name: string]: WireValue };

/** A value of a call's arguments that a shell, or a program's start, would be given. */
export interface CommandPlace {
  /** `command`, `calls[0].args.command`. */
  readonly place: string;
  /** One line for a shell, or null where the value is a list of arguments. */
  readonly line: string | null;
  /** What stands behind the line, or the whole list. */
  readonly argv: readonly string[];
  /**
   * The tool runs commands, so what cannot be read is held. Otherwise only the argument's name speaks for a command: it is one where it parses
   * and names a program that is known.
   */
  readonly isSure: boolean;
}

/** Names that are a command's in any tool, compared without case, dashes and underscores. */
const ofAnyTool: ReadonlySet<string> = new Set([
  ...["command", "cmd", "script", "commands", "cmds", "commandline", "cmdline", "shellcommand", "bashcommand"],
  ...["shellscript", "bashscript", "commandstring", "argv"],
]);
/** Names of the program in a tool that starts one. */
const ofStarters: ReadonlySet<string> = new Set(["program", "executable", "binary", "exe"]);
/** Names of what is typed into a shell or a terminal. */
const ofTyping: ReadonlySet<string> = new Set(["line", "lines", "keys", "text", "data", "input", "content", "code"]);
/** Names of what a command reads as its standard input. */
const ofInput: ReadonlySet<string> = new Set(["stdin", "input", "stdindata"]);
const startedNames = ["program", "executable", "binary", "exe", "file", "command", "cmd"] as const;
const listNames = ["args", "arguments", "argv", "params", "parameters"] as const;
const environmentNames: ReadonlySet<string> = new Set(["env", "environment", "envvars", "env_vars"]);
/** Several lines, not the words of one. */
const several: ReadonlySet<string> = new Set(["commands", "cmds", "lines"]);

/** More places are read as one that cannot be. */
export const maxCommandPlaces = 64;

const known = new WeakMap<WireObject, { readonly action: string; readonly places: readonly CommandPlace[] }>();

/** Every place of a call's arguments that may hold a command, nested ones included; found once for all rules that ask. */
export const commandPlaces = (action: string, args: WireObject): readonly CommandPlace[] => {
  const before = known.get(args);
  if (before?.action === action) return before.places;
  const places = found(action, args);
  known.set(args, { action, places });
  return places;
};

/** Without case, dashes and underscores. */
const plainName = remembered((name) => name.toLowerCase().replaceAll(/[-_]/g, ""));

const found = (action: string, args: WireObject): readonly CommandPlace[] => {
  const isSure = isCommandTool(action);
  if (isUnnamed(args) && isSure) return linesIn("input", args.input, [], true, false);
  const program = programTool(action);
  const places: CommandPlace[] = program === null ? [] : ofProgram(program, args);
  if (languageTool(action)) return places;
  for (const { kind, place, name, beside } of textsOf(args).texts) {
    if (kind !== "name" || beside === null || name.length > 32) continue;
    const plain = plainName(name);
    const isTop = beside === args;
    if (ofAnyTool.has(plain)) {
      // What is not at the top may be anything's.
      places.push(...ofNamed(place, plain, beside[name], beside, isSure && isTop && isExact.has(name)));
    } else if (isSure && (ofStarters.has(plain) || (plain === "file" && listBeside(beside).length > 0)))
      places.push(...ofNamed(place, plain, beside[name], beside, false));
    else if (ofInput.has(plain) && isStarted(beside)) places.push(...ofFed(place, beside[name], beside));
    else if (ofTyping.has(plain) && isTypedInto(action))
      places.push(...ofNamed(place, plain, beside[name], beside, false));
    else if (isSure && isTop && (plain === "args" || plain === "arguments") && !isStarted(beside))
      places.push(...linesIn(place, beside[name], [], false, false));
    else if (environmentNames.has(name.toLowerCase()) && (isSure || isStarted(beside)))
      places.push(...ofEnvironment(place, beside[name]));
    if (places.length > maxCommandPlaces) return places;
  }
  return places;
};

/** The names by which tools that run commands take them. */
const isExact: ReadonlySet<string> = new Set([
  ...["command", "cmd", "script", "commands", "command_line", "commandLine", "shell_command"],
]);

const ofNamed = (
  place: string,
  plain: string,
  value: WireValue | undefined,
  beside: Holder,
  isSure: boolean,
): readonly CommandPlace[] => {
  if (plain === "code" || plain === "script") {
    const language = [beside.language, beside.lang, beside.runtime, beside.kernel].find(
      (one) => typeof one === "string",
    );
    if (typeof language === "string" && !/^(?:ba|z|da|k)?sh$|^shell$|^terminal$/i.test(language)) return [];
  }
  const list = plain === "argv" || isList(value) ? [] : listBeside(beside);
  return linesIn(place, value, list, isSure, several.has(plain));
};

const linesIn = (
  place: string,
  value: WireValue | undefined,
  list: readonly string[],
  isSure: boolean,
  isSeveral: boolean,
): readonly CommandPlace[] => {
  const line = typeof value === "string" ? value : value instanceof Uint8Array ? textOf(value) : null;
  if (line !== null) return line.trim() === "" ? [] : [{ place, line, argv: list, isSure }];
  if (isList(value)) {
    const whole: CommandPlace = { place, line: null, argv: value, isSure };
    const [only] = value;
    const lines = isSeveral || (value.length === 1 && only !== undefined && /\s/.test(only)) ? value : [];
    return [whole, ...lines.map((one) => ({ place, line: one, argv: [], isSure }))];
  }
  // `command: {text: "..."}`: which member it is, the tool knows.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? Object.entries(value as Holder).flatMap(([name, inner]) =>
        typeof inner === "string" && inner.trim() !== ""
          ? [{ place: `${place}.${name}`, line: inner, argv: [], isSure: false }]
          : [],
      )
    : [];
};

/** `{LD_PRELOAD: "x"}` beside a command, as `env` would be given it. */
const ofEnvironment = (place: string, value: WireValue | undefined): readonly CommandPlace[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) return [];
  const pairs = Object.entries(value as Holder).flatMap(([name, inner]) =>
    typeof inner === "string" && inner.length <= 4_096 && changesWhatRuns(name, inner) ? [`${name}=${inner}`] : [],
  );
  return pairs.length === 0
    ? []
    : [{ place, line: null, argv: ["env", ...pairs.slice(0, 256), "true"], isSure: false }];
};

/** What a command is given to read, as a here-document would give it. */
const ofFed = (place: string, value: WireValue | undefined, beside: Holder): readonly CommandPlace[] => {
  const line = [beside.command, beside.cmd].find((one) => typeof one === "string");
  if (typeof value !== "string" || typeof line !== "string" || value.trim() === "") return [];
  const end = "END_OF_WHAT_IT_READS";
  return value.includes(end)
    ? []
    : [{ place, line: `{ ${line}\n} <<'${end}'\n${value}\n${end}`, argv: [], isSure: false }];
};

/** A tool that is a program by its name, `git {args: ["push", "-f"]}`: what it is given stands behind that name. */
const ofProgram = (program: string, args: WireObject): CommandPlace[] =>
  [...listNames, "command", "cmd"].flatMap((name): CommandPlace[] => {
    const value = args[name];
    if (isList(value)) return [{ place: name, line: null, argv: [program, ...value], isSure: true }];
    return typeof value === "string" && !value.trim().startsWith(program)
      ? [{ place: name, line: `${program} ${value}`, argv: [], isSure: true }]
      : [];
  });

const isStarted = (holder: Holder): boolean => startedNames.some((name) => holder[name] !== undefined);

const listBeside = (holder: Holder): readonly string[] => {
  for (const name of listNames) if (isList(holder[name])) return holder[name] as readonly string[];
  return [];
};

const isList = (value: WireValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
