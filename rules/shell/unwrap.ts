import { afterOption, type Directory } from "./directories.ts";
import { executedBy } from "./find.ts";
import { gitScripts } from "./git-scripts.ts";
import { optionScripts } from "./option-scripts.ts";
import { foreignShells, lineTakers, scriptTakers, shells } from "./script-takers.ts";
import { mayBeWrapped } from "./unknown-wrapper.ts";
import { unknown, type Word, wordOf } from "./word.ts";
import { type Wrapper, wrappers } from "./wrappers.ts";

export interface UnwrappedCommand {
  readonly name: string;
  readonly path: string;
  readonly args: readonly Word[];
  readonly directories: readonly Directory[];
  readonly elsewhere: boolean;
}

/** What one argument list runs: itself, the commands inside it, and scripts that must be parsed in turn. */
export interface Unwrapped {
  /** From the outside in; names are bare and in lower case. */
  readonly commands: readonly UnwrappedCommand[];
  readonly scripts: readonly {
    readonly text: string;
    readonly directories: readonly Directory[];
    readonly elsewhere: boolean;
  }[];
  /** What shells of Windows are given, as one line; null where only the running shell knows. */
  readonly foreign: readonly { readonly shell: "powershell" | "cmd"; readonly text: string | null }[];
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** A program is run that only the running shell knows. */
  readonly opaque: boolean;
  /** A program that is not known is given a command that is. */
  readonly wrapped: boolean;
}

const maxLayers = 16;

type Found = {
  -readonly [Part in keyof Unwrapped]: Unwrapped[Part] extends readonly (infer Item)[] ? Item[] : Unwrapped[Part];
};

interface Place {
  readonly directories: readonly Directory[];
  readonly elsewhere: boolean;
  /** What the outermost command reads. */
  readonly input: Word | null;
}

/** `input`: what the command reads as its standard input, where that is known. */
export const unwrap = (
  words: readonly Word[],
  directories: readonly Directory[] = [null],
  input: Word | null = null,
): Unwrapped => {
  const found: Found = { commands: [], scripts: [], foreign: [], assignments: [], opaque: false, wrapped: false };
  layer(words, found, { directories, elsewhere: false, input }, 0);
  return found;
};

/** Letters of another alphabet look like those of a program's name: a person would read another program. */
const isPlain = (name: string): boolean => /^[\x20-\x7e]*$/.test(name);

const layer = (words: readonly Word[], found: Found, place: Place, depth: number): void => {
  const [head, ...args] = words;
  if (head === undefined) return;
  if (!head.known || depth > maxLayers || !isPlain(head.text) || /[^[][?*[]|^[?*]/.test(head.text)) {
    found.opaque = true;
    return;
  }
  // A file system may ignore case, and then RM is rm.
  const name = head.text.slice(Math.max(head.text.lastIndexOf("/"), head.text.lastIndexOf("\\")) + 1).toLowerCase();
  const { directories, elsewhere } = place;
  found.commands.push({ name, path: head.text, args, directories, elsewhere });
  const wrapper = wrappers.get(name);
  if (wrapper !== undefined) wrapped(name, wrapper, args, found, place, depth);
  else if (mayBeWrapped(name, head.text, args)) {
    found.wrapped = true;
    layer(args.slice(args.findIndex(({ text }) => !text.startsWith("-"))), found, place, depth + 1);
  }
  if (shells.has(name)) scriptAfter(args, /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/, found, place);
  const taker = scriptTakers.get(name);
  if (taker !== undefined) scriptAfter(args, taker, found, place);
  const lines = lineTakers.get(name);
  if (lines !== undefined) linesOf(name, lines, args, found, place);
  const foreign = foreignShells.get(name);
  if (foreign !== undefined) {
    const text = args.map((word) => word.text).join(" ");
    found.foreign.push({ shell: foreign, text: text.includes(unknown) ? null : text });
  }
  if (name === "git") for (const line of gitScripts(args)) script([line], found, place);
  for (const line of optionScripts(name, args, place.input)) script([line], found, place);
  if (name === "env") splitString(args, found, place);
  if (name === "alias")
    for (const { text } of args)
      if (text.includes("=")) script([wordOf(text.slice(text.indexOf("=") + 1))], found, place);
  if (name === "ssh")
    script(skipOwn(args, { valued: sshValued, operands: 1 }).rest, found, {
      ...place,
      directories: [null],
      elsewhere: true,
    });
  if (name === "find" || name === "gfind" || name === "fd" || name === "fdfind")
    for (const inner of executedBy(args)) layer(inner, found, place, depth + 1);
};

const sshValued = [
  "-B",
  "-b",
  "-c",
  "-D",
  "-E",
  "-e",
  "-F",
  "-I",
  "-i",
  "-J",
  "-L",
  "-l",
  "-m",
  "-O",
  "-o",
  "-p",
  "-Q",
  "-R",
  "-S",
  "-W",
  "-w",
];

const wrapped = (
  name: string,
  wrapper: Wrapper,
  args: readonly Word[],
  found: Found,
  place: Place,
  depth: number,
): void => {
  const started = afterWords(args, wrapper);
  if (started === null) return;
  // `command -v` only asks; running nothing, it wraps nothing.
  if (name === "command" && /^-[vV]+$/.test(args[0]?.text ?? "")) return;
  const { rest, assignments, folder } = skipOwn(started, wrapper);
  for (const { text } of assignments)
    found.assignments.push({ name: text.split("=", 1)[0] ?? "", value: wordOf(text.slice(text.indexOf("=") + 1)) });
  const [first, ...others] = rest;
  if (first === undefined) return;
  const inner =
    wrapper.packages === true ? [{ ...first, text: first.text.replace(/(?<=.)@[^@/]*$/, "") }, ...others] : rest;
  const directories =
    wrapper.elsewhere === true ? [null] : folder === null ? place.directories : afterOption(place.directories, folder);
  const inside = { ...place, directories, elsewhere: place.elsewhere || wrapper.elsewhere === true };
  layer(name === "xargs" ? withInput(inner, args, place.input) : inner, found, inside, depth + 1);
};

/** Behind the words that make it a wrapper: `poetry run`, with options in between. Null where it is none. */
const afterWords = (args: readonly Word[], { after, valued = [] }: Wrapper): readonly Word[] | null => {
  if (after === undefined) return args;
  for (const wanted of after) {
    let at = 0;
    let matched = 0;
    while (at < args.length && matched < wanted.length) {
      const { text } = args[at] as Word;
      if (text.startsWith("-")) at += takesNext(text, valued) ? 2 : 1;
      else if (text === wanted[matched]) {
        matched++;
        at++;
      } else break;
    }
    if (matched === wanted.length) return args.slice(at);
  }
  return null;
};

/** What xargs reads becomes arguments of what it runs. */
const withInput = (inner: readonly Word[], args: readonly Word[], input: Word | null): readonly Word[] => {
  const words =
    input === null || !input.known
      ? [input ?? wordOf(unknown)]
      : input.text
          .split(/[\s\0]+/)
          .filter((text) => text !== "")
          .map(wordOf);
  const at = args.findIndex(({ text }) => text === "-I" || text === "-i" || /^-I.|^--replace/.test(text));
  if (at < 0) return [...inner, ...words];
  const { text } = args[at] as Word;
  const mark =
    text === "-I"
      ? (args[at + 1]?.text ?? "{}")
      : text.startsWith("-I")
        ? text.slice(2)
        : text.includes("=")
          ? text.slice(text.indexOf("=") + 1)
          : "{}";
  const isLine = (at: number): boolean => shells.has(nameOf(inner[0])) && /^-[a-z]*c$/.test(inner[at - 1]?.text ?? "");
  const filled = words.length === 1 ? (words[0] as Word).text : unknown;
  return inner.flatMap((word, at) => {
    if (word.text === mark) return words;
    if (!word.text.includes(mark)) return [word];
    // In a line for a shell it is read as a variable that nobody set: what it may be is not known, where it stands is.
    const text = filled.includes(unknown) && isLine(at) ? "$__input" : filled;
    return [wordOf(word.text.replaceAll(mark, text))];
  });
};

const nameOf = (word: Word | undefined): string => word?.text.slice(word.text.lastIndexOf("/") + 1).toLowerCase() ?? "";

interface Skipped {
  readonly rest: readonly Word[];
  readonly assignments: readonly Word[];
  readonly folder: Word | null;
}

const isAssignment = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(text);

/** What is left when a wrapper has taken its own options and operands. */
const skipOwn = (
  args: readonly Word[],
  { valued = [], operands = 0, assignments: takes, folder: folders = [] }: Wrapper,
): Skipped => {
  const assignments: Word[] = [];
  let folder: Word | null = null;
  let left = operands;
  let at = 0;
  let ended = false;
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    const { text } = word;
    if (!ended && text === "--") ended = true;
    else if (!ended && text.startsWith("-") && text !== "-") {
      const equals = text.indexOf("=");
      if (folders.includes(equals < 0 ? text : text.slice(0, equals)))
        folder = equals < 0 ? (args[at + 1] ?? null) : wordOf(text.slice(equals + 1));
      if (takesNext(text, valued)) at++;
    } else if (takes === true && isAssignment(text)) assignments.push(word);
    else if (left > 0) left--;
    else break;
  }
  // An operand may be followed by `--`: `kubectl exec POD -- CMD`.
  return { rest: args.slice(at), assignments, folder };
};

/** Is the value of this option the next argument? `-u x`, and `-Eu x`; in `-uE` the value is `E`. */
const takesNext = (text: string, valued: readonly string[]): boolean => {
  if (text.startsWith("--")) return valued.includes(text);
  const first = [...text.slice(1)].findIndex((letter) => valued.includes(`-${letter}`));
  return first >= 0 && first === text.length - 2;
};

/** `-c SCRIPT`, alone or in a bundle such as `-lc`. */
const scriptAfter = (args: readonly Word[], option: RegExp, found: Found, place: Place): void => {
  for (const [index, { text }] of args.entries()) {
    if (text === "--") return;
    if (option.test(text)) {
      // Options may stand between -c and the script.
      const rest = args
        .slice(index + 1)
        .filter(
          (word, at, all) => !/^(?:[-+][A-Za-z]|--)/.test(word.text) && !/^[-+][oO]$/.test(all[at - 1]?.text ?? ""),
        );
      script(rest.slice(0, 1), found, place);
      return;
    }
    const equals = text.indexOf("=");
    if (text.startsWith("--") && equals > 0 && option.test(text.slice(0, equals))) {
      script([wordOf(text.slice(equals + 1))], found, place);
      return;
    }
  }
};

const linesOf = (name: string, how: "joined" | "each", args: readonly Word[], found: Found, place: Place): void => {
  const { rest } = skipOwn(args, wrappers.get(name) ?? {});
  if (name === "trap") script(rest.slice(0, 1), found, place);
  else if (how === "joined") script(rest, found, place);
  else for (const word of rest) script([word], found, place);
};

/** `env -S 'rm -rf /'` splits its string into a command. */
const splitString = (args: readonly Word[], found: Found, place: Place): void => {
  for (const [index, { text }] of args.entries()) {
    const attached = /^(?:-[A-Za-z0]*?S|--s[a-z-]*=)(.+)$/s.exec(text)?.[1];
    if (attached !== undefined) script([wordOf(attached), ...args.slice(index + 1)], found, place);
    else if (/^(?:-[A-Za-z0]*S|--s[a-z-]*)$/.test(text)) script(args.slice(index + 1), found, place);
  }
};

const script = (words: readonly Word[], found: Found, { directories, elsewhere }: Place): void => {
  if (words.length === 0) return;
  const text = words.map((word) => word.text).join(" ");
  if (text.includes(unknown)) found.opaque = true;
  else found.scripts.push({ text, directories, elsewhere });
};
