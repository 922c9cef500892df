import type { Directory } from "./directories.ts";
import { Follower } from "./follow.ts";
import { variableScript } from "./option-scripts.ts";
import { parseShell, ReadingBudget, Unparseable } from "./parse.ts";
import { unwrap } from "./unwrap.ts";
import { Variables } from "./variables.ts";
import { unknown, type Word, wordOf } from "./word.ts";

/** One command that a script may run, wherever in it it stands. */
export interface Command {
  /** Bare, in lower case; wrappers and what they wrap are commands of their own. */
  readonly name: string;
  /** As it is written: with its folder. */
  readonly path: string;
  readonly args: readonly Word[];
  /** Where it may run. */
  readonly directories: readonly Directory[];
  /** Names of the commands whose output it reads through a pipe or is given by a substitution. */
  readonly fedBy: readonly string[];
  /** What it reads as its standard input, where the script says; null where it does not. */
  readonly input: Word | null;
  /** On another machine, or in a container: its files are not those of this one. */
  readonly elsewhere: boolean;
}

export interface Redirect {
  readonly target: Word;
  readonly directories: readonly Directory[];
  readonly writes: boolean;
}

/** A variable that is set for one command or from there on. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

export interface Script {
  readonly commands: readonly Command[];
  readonly redirects: readonly Redirect[];
  readonly assignments: readonly Assignment[];
  /** Names of variables that it reads and did not set. */
  readonly reads: readonly string[];
  /** What shells of Windows are given, as one line; null where only the running shell knows. */
  readonly foreign: readonly { readonly shell: "powershell" | "cmd"; readonly text: string | null }[];
  /** Something is run that cannot be read here. */
  readonly opaque: boolean;
  /** A program that is not known is given a command that is: it may run it. */
  readonly wrapped: boolean;
  /** A function starts itself twice: a fork bomb. */
  readonly multiplies: boolean;
}

/** A script that another runs, before it is read. */
export interface Pending {
  readonly text: string;
  readonly directories: readonly Directory[];
  readonly fedBy: readonly string[];
  readonly variables: Variables;
  readonly elsewhere: boolean;
}

/** What was gathered so far. */
export type Gathered = {
  -readonly [Part in keyof Script]: Script[Part] extends readonly (infer Item)[] ? Item[] : Script[Part];
};

const nothing = (): Gathered => ({
  commands: [],
  redirects: [],
  assignments: [],
  reads: [],
  foreign: [],
  opaque: false,
  wrapped: false,
  multiplies: false,
});

/** A line for a shell of Windows, which is not read as bash. */
export const foreignScript = (shell: "powershell" | "cmd", text: string): Script => ({
  ...nothing(),
  foreign: [{ shell, text }],
});

const maxScripts = 32;

/** Every command in a script, through pipes, lists, subshells, substitutions, here-documents, wrappers and `-c`. Throws `Unparseable`. */
export const readScript = async (text: string, budget: ReadingBudget = new ReadingBudget()): Promise<Script> => {
  const found = nothing();
  await readAll(
    [{ text, directories: [null], fedBy: [], variables: new Variables(), elsewhere: false }],
    found,
    budget,
  );
  return found;
};

const readAll = async (queue: Pending[], found: Gathered, budget: ReadingBudget): Promise<void> => {
  let told = 0;
  for (let read = 0; ; read++) {
    for (; told < found.assignments.length; told++) {
      const { name, value } = found.assignments[told] as Assignment;
      const text = variableScript(name, value);
      if (text !== null)
        queue.push({ text, directories: [null], fedBy: [], variables: new Variables(), elsewhere: false });
    }
    if (read >= queue.length) return;
    if (queue.length > maxScripts) throw new Unparseable();
    const pending = queue[read] as Pending;
    new Follower(pending, found, queue, budget).follow(await parseShell(pending.text, budget));
  }
};

/** The same of an argument list that no shell reads before it runs. */
export const readArguments = async (argv: readonly string[]): Promise<Script> => {
  const budget = new ReadingBudget();
  for (const text of argv) {
    budget.takeText(text);
    budget.takeNode();
  }
  const found = nothing();
  const { commands, scripts, opaque, wrapped, foreign, assignments } = unwrap(
    argv.map((text) => wordOf(text.replaceAll(unknown, ""))),
  );
  for (const command of commands) found.commands.push({ ...command, fedBy: [], input: null });
  found.foreign.push(...foreign);
  found.assignments.push(...assignments);
  found.opaque = opaque;
  found.wrapped = wrapped;
  if (scripts.length > maxScripts) throw new Unparseable();
  const queue = scripts.map(({ text, directories, elsewhere }) => ({
    text,
    directories,
    fedBy: [],
    variables: new Variables(),
    elsewhere,
  }));
  await readAll(queue, found, budget);
  return found;
};
