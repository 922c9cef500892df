import type { ShellTree } from "./parse.ts";
import type { PartNode, WordNode } from "./tree.ts";

/** Stands for what only the running shell knows. It cannot occur in a word. */
export const unknown = "\0";

/** A word as the command will see it, with quotes, escapes and what is certain resolved. */
export interface Word {
  readonly text: string;
  /** Nothing in it depends on the running shell. */
  readonly known: boolean;
  /** It stands for everything below what it names: what `find` starts from, in the command that it runs. */
  readonly below?: true;
}

export const wordOf = (text: string): Word => ({ text, known: !text.includes(unknown) });

/** The static value of a word: `r""m`, `\rm`, `$'\x72m'` and `rm` are one word. */
export const evaluateWord = (tree: ShellTree, word: WordNode): Word =>
  wordOf(word.Parts.map((part) => evaluatePart(tree, part, false)).join(""));

const evaluatePart = (tree: ShellTree, part: PartNode, quoted: boolean): string => {
  switch (tree.typeOf(part)) {
    case "Lit":
      return quoted ? unescapeQuoted(part.Value) : unescapeBare(part.Value);
    case "SglQuoted":
      return part.Dollar ? unescapeAnsiC(part.Value) : part.Value;
    case "DblQuoted":
      return part.Parts.map((inner) => evaluatePart(tree, inner, true)).join("");
    case "ParamExp":
      return evaluateParameter(part);
    default:
      return unknown;
  }
};

const evaluateParameter = ({ Param, Exp, Length, Excl, Index, Slice, Repl }: PartNode): string => {
  if (Exp !== null || Length || Excl || Index !== null || Slice !== null || Repl !== null) return unknown;
  if (Param?.Value === "HOME") return "~";
  return Param?.Value === "PWD" ? "." : unknown;
};

/** Outside quotes a backslash keeps the next character, and a line break after it vanishes. */
const unescapeBare = (text: string): string => {
  const unescaped = (part: string): string =>
    part.replace(/\\(.)/gs, (_all, next: string) => (next === "\n" ? "" : next));
  // `{rm,-rf,/}` expands to words of its own: what stands between the braces is not known.
  const open = text.indexOf("{");
  const close = text.lastIndexOf("}");
  const between = open < 0 || close < open ? "" : text.slice(open, close);
  if (!between.includes(",") && !between.includes("..")) return unescaped(text);
  return unescaped(text.slice(0, open)) + unknown + unescaped(text.slice(close + 1));
};

const unescapeQuoted = (text: string): string =>
  text.replace(/\\([$`"\\\n])/g, (_all, next: string) => (next === "\n" ? "" : next));

const ansiC: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** ANSI-C quoting as bash has it: octal, hexadecimal, Unicode, control and named escapes. */
const unescapeAnsiC = (text: string): string =>
  text.replace(
    /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))/gs,
    (_all, octal?: string, hex?: string, u4?: string, u8?: string, control?: string, other?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      const code = hex ?? u4 ?? u8;
      if (code !== undefined) return codePoint(Number.parseInt(code, 16));
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      return ansiC[other as string] ?? (other as string);
    },
  );

const codePoint = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : unknown);
