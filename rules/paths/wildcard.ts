/** One place in a pattern. `any` is a run of letters, `one` a letter. */
type Token =
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "set"; readonly letters: string; readonly negated: boolean };

/** Longer patterns are not told apart from `*`. */
const maxPatternCharacters = 512;
const maxAlternatives = 64;

/** Stands in a word of a shell for what is not known (shell/word.ts). */
const unknown = "\0";

export const hasWildcard = (text: string): boolean => /[*?[{\0]/.test(text);

/**
 * May a name of one folder match this pattern of one? Over-approximates: an extended pattern, a class of letters that cannot be read,
 * and what only the running shell knows are `*`. A leading dot is no exception, because tools differ. Time is pattern times name.
 */
export const mayMatch = (pattern: string, name: string): boolean => matcherOf(pattern)(name);

/** `mayMatch` for many names. */
export const matcherOf = (pattern: string): ((name: string) => boolean) => {
  const all = alternatives(pattern).map(tokensOf);
  return (name) => all.some((tokens) => matches(tokens, name));
};

/** How many letters or digits a pattern says. `*` and `*.*` say none: they ask for everything, and for nothing in particular. */
export const saidLetters = (pattern: string): number =>
  Math.max(
    ...alternatives(pattern).map(
      (one) => tokensOf(one).filter((token) => token.kind === "letter" && /[\p{L}\p{N}]/u.test(token.letter)).length,
    ),
  );

/** `.{env,x}` is `.env` and `.x`; too many are `*`. */
export const alternatives = (pattern: string): readonly string[] => {
  if (pattern.length > maxPatternCharacters) return ["*"];
  let found: string[] = [pattern];
  for (let round = 0; round < 8; round++) {
    const next = found.flatMap(expandOnce);
    if (next.length > maxAlternatives) return ["*"];
    if (next.every((one, at) => one === found[at])) return next;
    found = next;
  }
  return ["*"];
};

/** The innermost first braces that hold a comma. */
const expandOnce = (pattern: string): string[] => {
  const close = pattern.indexOf("}");
  const open = close < 0 ? -1 : pattern.lastIndexOf("{", close);
  if (open < 0) return [pattern];
  const inner = pattern.slice(open + 1, close);
  if (!inner.includes(",")) return [`${pattern.slice(0, open)}*${pattern.slice(close + 1)}`];
  return inner.split(",").map((choice) => pattern.slice(0, open) + choice + pattern.slice(close + 1));
};

const tokensOf = (pattern: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] as string;
    if (letter === "*" || letter === unknown) tokens.push({ kind: "any" });
    else if (letter === "?") tokens.push({ kind: "one" });
    else if (letter === "[") {
      const ofClass = pattern.startsWith("[[:", at) ? pattern.indexOf(":]]", at) : -1;
      const close = ofClass < 0 ? pattern.indexOf("]", at + 2) : ofClass + 2;
      if (close < 0) tokens.push({ kind: "letter", letter });
      else {
        const body = pattern.slice(at + 1, close);
        const negated = /^[!^]/.test(body);
        tokens.push(setOf(negated ? body.slice(1) : body, negated));
        at = close;
      }
    } else if (letter === "(" && /[*?+@!]/.test(pattern[at - 1] ?? "")) {
      // An extended pattern of the shell: anything.
      const close = pattern.indexOf(")", at);
      tokens.pop();
      tokens.push({ kind: "any" });
      at = close < 0 ? pattern.length : close;
    } else tokens.push({ kind: "letter", letter: letter.toLowerCase() });
  }
  return tokens;
};

const setOf = (body: string, negated: boolean): Token => {
  if (/[[:\\]/.test(body)) return { kind: "one" };
  let letters = "";
  for (let at = 0; at < body.length; at++) {
    const from = body.charCodeAt(at);
    const to = body[at + 1] === "-" && at + 2 < body.length ? body.charCodeAt(at + 2) : from;
    if (to - from > 256) return { kind: "one" };
    for (let code = from; code <= to; code++) letters += String.fromCharCode(code).toLowerCase();
    if (to !== from || body[at + 1] === "-") at += 2;
  }
  return { kind: "set", letters, negated };
};

/** The states that a reader of `name` may be in, step by step: no going back, so no pattern is slow. */
const matches = (tokens: readonly Token[], name: string): boolean => {
  let states = skipped(tokens, new Set([0]));
  for (const letter of name) {
    const next = new Set<number>();
    for (const state of states) {
      const token = tokens[state];
      if (token === undefined) continue;
      if (token.kind === "any") next.add(state);
      else if (takes(token, letter)) next.add(state + 1);
    }
    if (next.size === 0) return false;
    states = skipped(tokens, next);
  }
  return states.has(tokens.length);
};

const skipped = (tokens: readonly Token[], states: Set<number>): Set<number> => {
  for (const state of states) if (tokens[state]?.kind === "any") states.add(state + 1);
  return states;
};

const takes = (token: Exclude<Token, { kind: "any" }>, letter: string): boolean => {
  if (token.kind === "one") return true;
  if (token.kind === "letter") return token.letter === letter;
  return token.letters.includes(letter) !== token.negated;
};
