import { afterOption, type Directory } from "../directories.ts";
import type { Effect, EffectPath } from "../effect.ts";
import type { Command } from "../script.ts";
import type { Word } from "../word.ts";
import { type Grammar, type Option, readOptions } from "./options.ts";

/** One command with its arguments told apart. */
export interface Call {
  readonly program: string;
  readonly args: readonly Word[];
  readonly operands: readonly Word[];
  readonly options: readonly Option[];
  readonly directories: readonly Directory[];
  readonly fedBy: readonly string[];
  readonly input: Word | null;
}

/** What is known of a program: how it reads its arguments, and what it then does. */
export interface Program {
  readonly grammar?: Grammar;
  readonly does: (call: Call) => readonly Effect[];
}

export type Programs = Readonly<Record<string, Program>>;

export const callOf = ({ name, args, directories, fedBy, input }: Command, grammar: Grammar | undefined): Call => ({
  program: name,
  args,
  directories,
  fedBy,
  input,
  ...readOptions(args, grammar),
});

/** Was one of these options given? A long name may be cut short, as GNU programs allow: `--recurs`. */
export const has = ({ options }: Pick<Call, "options">, ...names: readonly string[]): boolean =>
  options.some(({ name }) =>
    names.some((wanted) => wanted === name || (name.length > 2 && wanted.length > 2 && wanted.startsWith(name))),
  );

/** The values that these options were given. */
export const valuesOf = ({ options }: Pick<Call, "options">, ...names: readonly string[]): readonly Word[] =>
  options.flatMap(({ name, value }) => (value !== null && names.includes(name) ? [value] : []));

/** The same call as if it ran in the folder that an option names: `git -C DIR`. */
export const movedTo = (call: Call, target: Word | undefined): Call =>
  target === undefined ? call : { ...call, directories: afterOption(call.directories, target) };

export const pathOf = ({ text, known }: Word, directories: readonly Directory[]): EffectPath => ({
  text,
  known,
  directories,
});

type FileKind = "reads" | "writes" | "deletes" | "lists" | "alters";
export type Extent = "alone" | "below";

/** One effect for each path. `-` is standard input or output, which is nobody's file. */
export const onFiles = (
  kind: FileKind,
  { program, directories }: Call,
  words: readonly Word[],
  extent: Extent = "alone",
): readonly Effect[] =>
  words.flatMap((word) =>
    word.text === "-" || word.text === ""
      ? []
      : [{ program, kind, path: pathOf(word, directories), recursive: extent === "below" || word.below === true }],
  );

export const here: Word = { text: ".", known: true };

export const orHere = (words: readonly Word[]): readonly Word[] => (words.length === 0 ? [here] : words);

export const onAddress = (
  { program }: Pick<Call, "program">,
  words: readonly Word[],
  direction: "sends" | "fetches",
): readonly Effect[] =>
  words.map(({ text, known }) => ({ program, kind: "reaches", address: text, known, sends: direction === "sends" }));

export const onSystem = (
  { program }: Pick<Call, "program">,
  what: Extract<Effect, { readonly kind: "system" }>["what"],
): readonly Effect[] => [{ program, kind: "system", what }];

/** `text`: the program, where it stands in the command; of which only a part may be known. Without one it is elsewhere. */
export const runsCode = ({ program }: Pick<Call, "program">, text: Word | null = null): readonly Effect[] => [
  {
    program,
    kind: "runs",
    what: "code",
    path: null,
    text: text === null || /^\0*$/.test(text.text) ? null : text.text,
  },
];

export const runsFile = (call: Call, word: Word): readonly Effect[] => [
  { program: call.program, kind: "runs", what: "file", path: pathOf(word, call.directories), text: null },
];

/** The rest of a word behind its first `mark`: `of=FILE`, `@FILE`. */
export const behind = ({ text, known }: Word, mark: string): Word => ({
  text: text.slice(text.indexOf(mark) + mark.length),
  known,
});
