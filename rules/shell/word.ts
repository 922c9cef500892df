import { expandBraces, hasSign, sign } from "./braces.ts";
import { operator, type ParameterNode, type PartNode, type SubstitutionNode, type WordNode } from "./tree.ts";

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

/** What a word's parameters and substitutions stand for where it is evaluated. */
export interface Surroundings {
  /** The text of a variable; `unknown` where only the shell knows; undefined where the script did not set it. */
  variable(name: string): string | undefined;
  /** What a substitution prints, where that is certain; otherwise `unknown`. */
  output(node: SubstitutionNode): string;
  /** Which of `count` possibilities is looked at now; `0` first. Each is evaluated in its turn. */
  pick(key: string, count: number): number;
  /** Where words of a variable end: false where the script changed it. */
  readonly splitsAtBlanks: boolean;
}

/** Every word that one word becomes: `r""m`, `\rm`, `$'\x72m'` and `rm` are one; `{rm,-rf}` is two, and so is `$X` after `X="a b"`. */
export const evaluateWords = (word: WordNode, around: Surroundings): readonly Word[] => {
  const text = word.Parts.map((part) => evaluatePart(part, "bare", around)).join("");
  const words = expandBraces(text).flatMap((one) => one.split(sign.split));
  // An empty value outside quotes is no word at all.
  const mayVanish = words.length > 1 || word.Parts.every(({ type }) => type === "ParamExp" || type === "CmdSubst");
  return words.filter((one) => !mayVanish || one !== "").map(wordOf);
};

/** The same where a shell splits nothing: a value, a target of a redirection, a here-document. */
export const evaluateText = (word: WordNode, around: Surroundings): string =>
  word.Parts.map((part) => evaluatePart(part, "quoted-word", around)).join("");

type Place = "bare" | "quoted" | "quoted-word";

const evaluatePart = (part: PartNode, place: Place, around: Surroundings): string => {
  switch (part.type) {
    case "Lit":
      return literal(part.Value, place);
    case "SglQuoted":
      return clean(part.Dollar ? unescapeAnsiC(part.Value) : part.Value);
    case "DblQuoted":
      return part.Parts.map((inner) => evaluatePart(inner, "quoted", around)).join("");
    case "ParamExp":
      return unquoted(evaluateParameter(part, around), place, around, part.Param?.Value === "@");
    case "CmdSubst":
      return unquoted(around.output(part), place, around, false);
    // A process substitution is the name of a pipe.
    case "ProcSubst":
      return "/dev/fd/63";
    default:
      return unknown;
  }
};

/** Signs of ours that a text holds already could be taken for braces: what they are is not known. */
const clean = (text: string): string => (hasSign(text) ? text.replace(/[\ufdd0-\ufdd3]/g, unknown) : text);

/** Outside quotes the words of a value are words of their own. */
const unquoted = (text: string, place: Place, around: Surroundings, isAll: boolean): string => {
  const value = clean(text);
  if (!(place === "bare" || (isAll && place === "quoted")) || !/[\s]/.test(value)) {
    // With other ends of words, `r,m` may be two of them.
    return place === "bare" && !around.splitsAtBlanks && !/^[\w./-]*$/.test(value) ? unknown : value;
  }
  return around.splitsAtBlanks ? value.trim().replace(/\s+/g, sign.split) : unknown;
};

const evaluateParameter = (node: ParameterNode, around: Surroundings): string => {
  const { Param, Exp, Length, Width, Excl, Index, Slice, Repl, Names } = node;
  if (Length || Width || Excl || Index !== null || Slice !== null || Repl !== null || Names !== 0) return unknown;
  const name = Param?.Value ?? "";
  const value = around.variable(name);
  if (Exp !== null) {
    if (!operator.defaults.includes(Exp.Op)) return unknown;
    // The environment may hold it: then the default is not what is used.
    if (value === undefined)
      return Exp.Word === null || around.pick(`${name}:-`, 2) !== 1 ? unknown : evaluateText(Exp.Word, around);
    return value === "" && Exp.Word !== null ? evaluateText(Exp.Word, around) : value;
  }
  if (value !== undefined) return value;
  if (name === "HOME") return "~";
  return name === "PWD" ? "." : unknown;
};

const literal = (text: string, place: Place): string => {
  if (place === "quoted") return clean(unescapeQuoted(text));
  if (place === "quoted-word") return clean(unescapeBare(text, false));
  return unescapeBare(text, true);
};

const braceSigns: Readonly<Record<string, string>> = { "{": sign.open, ",": sign.comma, "}": sign.close };

/** Outside quotes a backslash keeps the next character, and a line break after it vanishes. */
const unescapeBare = (text: string, marks: boolean): string => {
  if (!/[\\{\ufdd0-\ufdd3]/.test(text) && !(marks && /[,}]/.test(text))) return text;
  return text.replace(/\\([\s\S]?)|[{,}]|[\ufdd0-\ufdd3]/g, (all, next: string | undefined) => {
    if (next !== undefined) return next === "\n" ? "" : next;
    if (all === "{" || all === "," || all === "}") return marks ? (braceSigns[all] as string) : all;
    return unknown;
  });
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
