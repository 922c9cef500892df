import type { Span } from "../../scan/span.ts";
import { likely, suspected } from "./kind.ts";
import { type SecretName, secretName } from "./names.ts";
import { isCredential, maxValueCharacters, type Standing } from "./strength.ts";

/** Parts of names that a secret may have; whether the whole name is one is judged by its words. */
const marks =
  /passw|passphrase|passcode|pwd|_pass|secret|token|api[-_ ]?key|[a-z]key["'\\ ]{0,3}[:=]|[-_]key|credential|_auth|_pat\b/gi;

/** Between a name and its value: a quote that ends the name, `:` or `=` (or both, `=>`, `:=`), and the quote that begins the value. */
const between = /\\{0,3}["'`]?\]?[ \t]{0,8}(?:=>|:=|=|:)[ \t]{0,8}(?:[a-z]{1,2}(?=["']))?(\\{0,3}["'`])?/iy;
/** `--password value`, `<password>value<`. */
const option = /[ \t]{1,4}(["']?)(?![-<>|&;])/y;
const element = />(?=[^<>]{4,512}<\/)/y;

/** `password = "…"`, `"api_key": "…"`, `DB_PASSWORD=…`, `token: …`, `?access_token=…`, `<password>…</password>`, `--token …`. */
export const namedSecrets = (text: string): readonly Span[] => {
  if (text.length < minNamedCharacters) return none;
  const spans: Span[] = [];
  let end = 0;
  marks.lastIndex = 0;
  for (let hit = marks.exec(text); hit !== null; hit = marks.exec(text)) {
    if (hit.index < end) continue;
    const from = nameStart(text, hit.index, end);
    const to = nameEnd(text, hit.index);
    // The next search begins behind the name: nothing is read twice.
    marks.lastIndex = Math.max(to, hit.index + 1);
    end = to;
    const kind = text.startsWith("[REDACTED ", from - 10) ? null : secretName(text.slice(from, to));
    if (kind === null) continue;
    const value = valueAfter(text, from, to);
    if (value === null) continue;
    const { start, stop, standing } = value;
    const held = text.slice(start, stop);
    // `this.token2 = token2`: a program hands on what it was given.
    if (!isCredential(held, kind, standing) || text.slice(from, to).endsWith(held)) {
      // What is this long is no value; to look at it again from every name in it would take its square.
      if (stop - start > maxValueCharacters / 2) marks.lastIndex = Math.max(marks.lastIndex, stop);
      continue;
    }
    spans.push({
      class: classOf(text.slice(from, to), kind),
      start,
      end: stop,
      confidence: standing === "quoted" ? likely - 0.05 : suspected,
      encodings: [],
    });
    marks.lastIndex = Math.max(marks.lastIndex, stop);
    end = stop;
  }
  return spans;
};

const none: readonly Span[] = Object.freeze([]);
/** `pwd=` and the shortest password. */
const minNamedCharacters = 8;

/** A secret by the name of the member that holds it, wherever that is. */
export const namedMember = (name: string, text: string): Span | null => {
  const kind = secretName(name);
  if (kind === null || !isCredential(text, kind, "member")) return null;
  return { class: classOf(name, kind), start: 0, end: text.length, confidence: likely - 0.02, encodings: [] };
};

const classOf = (name: string, kind: SecretName): string => {
  if (kind === "password") return "password";
  return /secret[-_]?access[-_]?key/i.test(name) ? "aws_secret_access_key" : "named_secret";
};

const maxNameCharacters = 64;

const isNameCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 ||
  code === 45 ||
  code === 46;

const nameStart = (text: string, at: number, notBefore: number): number => {
  let start = at;
  const least = Math.max(notBefore, at - maxNameCharacters);
  while (start > least && isNameCode(text.charCodeAt(start - 1))) start--;
  return start;
};

const nameEnd = (text: string, at: number): number => {
  let end = at;
  const most = Math.min(text.length, at + maxNameCharacters);
  while (end < most && isNameCode(text.charCodeAt(end))) end++;
  // `api key: …` has a space in it.
  if (end - at <= 4 && text.charCodeAt(end) === 32) {
    let after = end + 1;
    while (after < most && isNameCode(text.charCodeAt(after))) after++;
    if (/^ key$/i.test(text.slice(end, after))) return after;
  }
  return end;
};

interface Value {
  readonly start: number;
  readonly stop: number;
  readonly standing: Standing;
}

const valueAfter = (text: string, from: number, to: number): Value | null => {
  between.lastIndex = to;
  const gap = between.exec(text);
  if (gap !== null) {
    const start = to + gap[0].length;
    const quote = gap[1];
    if (quote !== undefined) return quoted(text, start, quote);
    return isAssignment(text, from, gap[0]) ? bare(text, start) : null;
  }
  element.lastIndex = to;
  if (text.charCodeAt(from - 1) === 60 && element.test(text)) {
    const stop = text.indexOf("<", to + 1);
    return { start: to + 1, stop, standing: "quoted" };
  }
  option.lastIndex = to;
  const gapOfOption = option.exec(text);
  if (gapOfOption === null || !text.startsWith("--", from)) return null;
  const start = to + gapOfOption[0].length;
  return gapOfOption[1] === "" ? bare(text, start) : quoted(text, start, gapOfOption[1] ?? "");
};

const quoted = (text: string, start: number, quote: string): Value | null => {
  const most = Math.min(text.length, start + maxValueCharacters + 1);
  for (let at = start; at < most; at++) {
    if (text.startsWith(quote, at)) return { start, stop: at, standing: "quoted" };
    if (text.charCodeAt(at) === 10) return null;
    if (text.charCodeAt(at) === 92) at++;
  }
  return null;
};

/** `NAME=value` and `name: value`; `name = value` of a program only where the name is of the environment. */
const isAssignment = (text: string, from: number, gap: string): boolean => {
  if (!/^[ \t]+=/.test(gap)) return true;
  const before = text.lastIndexOf("\n", from) + 1;
  return from - before <= 8 && !/^[ \t]*(?:let|var|const)\b/.test(text.slice(before, from));
};

const bare = (text: string, start: number): Value | null => {
  let stop = start;
  const most = Math.min(text.length, start + maxValueCharacters + 1);
  while (stop < most && !isBareEnd(text.charCodeAt(stop)) && !isNextName(text, stop)) stop++;
  if (stop === start || text.charCodeAt(start) === 61) return null;
  const next = text.charCodeAt(stop);
  // A call, an index or a template: it is a program's expression.
  if (next === 40 || next === 91 || next === 123 || next === 96 || next === 60) return null;
  while (stop > start && (text.charCodeAt(stop - 1) === 46 || text.charCodeAt(stop - 1) === 58)) stop--;
  return { start, stop, standing: "bare" };
};

/** An equals sign inside of a value ends it, but for the padding of base64. */
const isNextName = (text: string, at: number): boolean =>
  text.charCodeAt(at) === 61 && isNameCode(text.charCodeAt(at + 1));

/** White space, quotes, `, ; & < > ( ) { } [ ] | \` and the backquote. */
const isBareEnd = (code: number): boolean => code <= 32 || bareEnds.has(code);
const bareEnds: ReadonlySet<number> = new Set([..."\"'`,;&<>(){}[]|\\"].map((character) => character.charCodeAt(0)));
