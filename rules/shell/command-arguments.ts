import type { WireObject } from "../../wire/value.ts";
import { type CommandPlace, commandPlaces, maxCommandPlaces } from "./command-places.ts";
import { foreignTool } from "./command-tools.ts";
import { isFamiliarProgram } from "./known-programs.ts";
import { Unparseable } from "./parse.ts";
import { foreignScript, readArguments, readScript, type Script } from "./script.ts";

export { commandActions } from "./command-tools.ts";

/** The client's names of calls that start a program without a shell. */
const withoutShell = /^child_process\.(?:execFile|execFileSync|spawn|spawnSync|fork)$/;

export interface CommandArgument {
  /** The argument's place: `command`, `calls[0].args.command`. */
  readonly name: string;
  readonly script: Script;
}

/** Does a call run a command, as far as its name and the names of its arguments tell? Found once for all rules that ask. */
export const holdsCommand = (action: string, args: WireObject): boolean => commandPlaces(action, args).length > 0;

/** Is something named in what a call runs? A cheap question before the commands are parsed. `pattern` has no flag `g`. */
export const namesInCommand = (action: string, args: WireObject, pattern: RegExp): boolean =>
  commandPlaces(action, args).some(
    ({ line, argv }) => (line !== null && pattern.test(line)) || argv.some((text) => pattern.test(text)),
  );

/**
 * Every command a call would run. A text with a list of arguments beside it is read both ways, as a program with its
 * arguments and as a line for a shell, because tools differ. Throws `Unparseable`.
 */
export const commandsIn = (action: string, args: WireObject): Promise<readonly CommandArgument[]> => {
  // Several rules judge the same call: its arguments are frozen, so they are read once.
  const known = alreadyRead.get(args);
  if (known?.action === action) return known.commands;
  const commands = read(action, args);
  const call: ReadCall = { action, commands, settled: null };
  commands.then(
    (all) => {
      call.settled = all;
    },
    () => {},
  );
  alreadyRead.set(args, call);
  return commands;
};

/**
 * What `judge` says of every command of a call: at once where all of them have been read before, since waiting for an answer costs
 * more than most of them; else a promise. `unparseable` answers where a command cannot be read.
 */
export const onceRead = <Answer>(
  action: string,
  args: WireObject,
  judge: (commands: readonly CommandArgument[]) => Answer,
  unparseable: () => Answer,
): Answer | Promise<Answer> => {
  const refused = (error: unknown): Answer => {
    if (!(error instanceof Unparseable)) throw error;
    return unparseable();
  };
  const judged = (commands: readonly CommandArgument[]): Answer => {
    try {
      return judge(commands);
    } catch (error) {
      return refused(error);
    }
  };
  const now = commandsNow(action, args);
  return now === null ? commandsIn(action, args).then(judged, refused) : judged(now);
};

interface ReadCall {
  readonly action: string;
  readonly commands: Promise<readonly CommandArgument[]>;
  /** Null until they are read. */
  settled: readonly CommandArgument[] | null;
}

const alreadyRead = new WeakMap<WireObject, ReadCall>();

/** Null where something has to be read first, or stands otherwise than as one line for a shell. */
const commandsNow = (action: string, args: WireObject): readonly CommandArgument[] | null => {
  const known = alreadyRead.get(args);
  if (known?.action === action) return known.settled;
  if (withoutShell.test(action) || foreignTool(action) !== null) return null;
  const places = commandPlaces(action, args);
  if (places.length > maxCommandPlaces) return null;
  const all: CommandArgument[] = [];
  for (const { place, isSure, line, argv } of places) {
    const script = isSure && line !== null && argv.length === 0 ? scripts.get(lineKey(line))?.script : null;
    if (script === null || script === undefined) return null;
    all.push({ name: place, script });
  }
  alreadyRead.set(args, { action, commands: Promise.resolve(all), settled: all });
  return all;
};

const read = async (action: string, args: WireObject): Promise<readonly CommandArgument[]> => {
  const places = commandPlaces(action, args);
  if (places.length > maxCommandPlaces) throw new Unparseable();
  const found: CommandArgument[] = [];
  for (const place of places)
    for (const script of place.isSure ? await readPlace(action, place, args) : await readDoubtful(place))
      found.push({ name: place.place, script });
  return found;
};

const readPlace = async (
  action: string,
  { line, argv }: CommandPlace,
  args: WireObject,
): Promise<readonly Script[]> => {
  if (line === null) return [await argvOf(argv)];
  const options = args.options;
  const byShell = typeof options === "object" && options !== null && "shell" in options && options.shell !== false;
  if (withoutShell.test(action) && !byShell) return [await argvOf([line, ...argv])];
  const foreign = foreignTool(action);
  if (foreign !== null) return [foreignScript(foreign, [line, ...argv].join(" "))];
  const script = await lineOf([line, ...argv].join(" "));
  return argv.length === 0 ? [script] : [await argvOf([line, ...argv]), script];
};

/** What only its name says is a command: prose and programs of other languages have such names too. */
const readDoubtful = async ({ line, argv }: CommandPlace): Promise<readonly Script[]> => {
  const scripts: Script[] = [];
  for (const read of [
    ...(line === null || argv.length > 0 ? [() => argvOf(line === null ? argv : [line, ...argv])] : []),
    ...(line === null ? [] : [() => lineOf([line, ...argv].join(" "))]),
  ])
    try {
      const script = await read();
      if (script.commands.some(({ name }) => isFamiliarProgram(name))) scripts.push(script);
    } catch (error) {
      if (!(error instanceof Unparseable)) throw error;
    }
  return scripts;
};

const argvOf = (argv: readonly string[]): Promise<Script> =>
  remembered(`argv\0${argv.join("\0")}`, () => readArguments(argv));
const lineOf = (text: string): Promise<Script> => remembered(lineKey(text), () => readScript(text));

const lineKey = (text: string): string => `line\0${text}`;

/** Agents run the same commands again and again. Texts are kept up to this many characters in all; the oldest go first. */
const maxRememberedCharacters = 1_048_576;
const maxRememberedText = 16_384;
interface Remembered {
  readonly promise: Promise<Script>;
  /** Null until it is read. */
  script: Script | null;
}

const scripts = new Map<string, Remembered>();
let rememberedCharacters = 0;

/** The same text is the same script: it is read once, also where reading it fails. */
const remembered = (key: string, readIt: () => Promise<Script>): Promise<Script> => {
  const before = scripts.get(key);
  if (before !== undefined) return before.promise;
  const promise = readIt();
  if (key.length > maxRememberedText) return promise;
  const one: Remembered = { promise, script: null };
  // Whoever asked is told of an error; that nobody asks again must not end the process.
  promise.then(
    (script) => {
      one.script = script;
    },
    () => {},
  );
  scripts.set(key, one);
  rememberedCharacters += key.length;
  for (const [oldest] of scripts) {
    if (rememberedCharacters <= maxRememberedCharacters) break;
    scripts.delete(oldest);
    rememberedCharacters -= oldest.length;
  }
  return promise;
};
