import type { Word } from "../word.ts";

/** How a program reads its arguments, as far as it changes what they name. */
export interface Grammar {
  /** Letters of options that take a value: `o` for `-o FILE` and `-oFILE`. */
  readonly short?: string;
  /** Names of options that take a value, which may be the next argument: `output` for `--output FILE`. */
  readonly long?: readonly string[];
  /** Options end where the first operand stands. */
  readonly leading?: true;
  /** One dash begins a whole name: `-name`, `-out FILE`. Those of `long` take a value. */
  readonly single?: true;
}

export interface Option {
  /** Without dashes: `r`, `recursive`. */
  readonly name: string;
  readonly value: Word | null;
}

export interface Given {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
}

const plain: Grammar = {};

/** Tells options from operands as GNU programs do: bundles, attached values, `--name=value`, `--`. `-` alone is an operand. */
export const readOptions = (args: readonly Word[], grammar: Grammar = plain): Given => {
  const options: Option[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    const { text } = word;
    if (text === "--") {
      for (const rest of args.slice(at + 1)) operands.push(rest);
      break;
    }
    if (text.length < 2 || !text.startsWith("-")) {
      if (grammar.leading === true) {
        for (const rest of args.slice(at)) operands.push(rest);
        break;
      }
      operands.push(word);
      continue;
    }
    const isWhole = text.startsWith("--") || grammar.single === true;
    at += isWhole ? whole(word, args[at + 1], grammar, options) : bundle(word, args[at + 1], grammar, options);
  }
  return { options, operands };
};

/** Reads one `--name` or `--name=value`; how many arguments after it are its value. */
const whole = (word: Word, next: Word | undefined, { long = [] }: Grammar, options: Option[]): number => {
  const name = word.text.slice(word.text.startsWith("--") ? 2 : 1);
  const equals = name.indexOf("=");
  if (equals >= 0) {
    options.push({ name: name.slice(0, equals), value: { text: name.slice(equals + 1), known: word.known } });
    return 0;
  }
  const takes = next !== undefined && long.includes(name);
  options.push({ name, value: takes ? next : null });
  return takes ? 1 : 0;
};

/** Reads `-abc`, `-oFILE` and `-o FILE`; how many arguments after it are its value. */
const bundle = (word: Word, next: Word | undefined, { short = "" }: Grammar, options: Option[]): number => {
  const letters = word.text.slice(1);
  for (let at = 0; at < letters.length; at++) {
    const name = letters[at] as string;
    if (!short.includes(name)) {
      options.push({ name, value: null });
      continue;
    }
    const attached = letters.slice(at + 1);
    if (attached !== "") options.push({ name, value: { text: attached, known: word.known } });
    else options.push({ name, value: next ?? null });
    return attached === "" && next !== undefined ? 1 : 0;
  }
  return 0;
};
