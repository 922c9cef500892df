import type { WireValue } from "../../wire/value.ts";
import type { Span } from "./span.ts";
import { textIn } from "./texts.ts";

/**
 * Takes what was found out of a value, field by field: objects, lists, numbers and booleans stay what they are, a text that held JSON
 * still does, and pictures and sound are not touched. `[REDACTED github_token]` stands where a token was.
 */

/** What is found in one text, by the name that it has. `isName`: the text is the name of a member. */
export type Spans = (text: string, name: string) => readonly Span[];

export interface Redacted {
  readonly value: WireValue;
  /** What was taken out, each class once, in order. */
  readonly classes: readonly string[];
}

type Holder = { readonly [name: string]: WireValue };

/** A text is looked at again after each change, for what was behind what was found. */
const maxPasses = 4;
const maxDepth = 64;

export const marker = (kind: string): string => `[REDACTED ${kind}]`;

export const redact = (value: WireValue, spans: Spans): Redacted => {
  const classes = new Set<string>();
  return { value: redactedValue(value, "", null, { spans, classes }, 0), classes: [...classes] };
};

interface Work {
  readonly spans: Spans;
  readonly classes: Set<string>;
}

const redactedValue = (value: WireValue, name: string, beside: Holder | null, work: Work, depth: number): WireValue => {
  if (typeof value === "string")
    return isMedia(name, beside)
      ? value
      : redactedText(value, nameOf(name, beside), name === "blob" || isTextBlob(name, beside), work);
  if (typeof value === "number") return redactedNumber(value, nameOf(name, beside), work);
  if (typeof value !== "object" || value === null) return value;
  // What is deeper than anybody looks is not handed on.
  if (depth >= maxDepth) return marker("unread");
  if (value instanceof Uint8Array) return redactedBytes(value, name, work);
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, name, beside, work, depth + 1));
  const holder = value as Holder;
  const members = new Map<string, WireValue>();
  for (const [inner, item] of Object.entries(holder)) {
    const key = freeName(redactedText(inner, "", false, work), members);
    members.set(key, redactedValue(item, inner, holder, work, depth + 1));
  }
  return Object.fromEntries(members);
};

/** Shorter ones, which counts and times are, are no numbers of cards. */
export const leastRedactedNumber = 100_000_000_000;

/** The number of a card stays a number: zero. */
const redactedNumber = (value: number, name: string, work: Work): number => {
  if (!Number.isSafeInteger(value) || value < leastRedactedNumber) return value;
  // A password that is written as a number is none that anybody has; a card is.
  if (!work.spans(String(value), name).some(({ class: kind }) => kind === "credit_card")) return value;
  work.classes.add("credit_card");
  return 0;
};

/** Two names that are the same once they are redacted stay two members. */
const freeName = (name: string, members: ReadonlyMap<string, WireValue>): string => {
  let free = name;
  for (let count = 2; members.has(free); count++) free = `${name} ${count}`;
  return free;
};

/** What only stands beside the number of a payment card. */
const besideCards = ["cvv", "cvc", "cvv2", "exp_month", "expMonth", "expiryMonth", "expiry", "exp", "cardholder"];

/** `{name: "API_KEY", value: "…"}`: the name of a value that has its name beside it; `{number: "…", cvv: "…"}` is a card. */
export const nameOf = (name: string, beside: Holder | null): string => {
  if (
    beside !== null &&
    /^(?:number|num|no|pan)$/i.test(name) &&
    besideCards.some((other) => Object.hasOwn(beside, other))
  )
    return "card_number";
  if (beside === null || !/^(?:value|val|data|content|text|default)$/i.test(name)) return name;
  for (const other of ["name", "key", "header", "field", "label", "variable"]) {
    const given = beside[other];
    if (typeof given === "string") return given;
  }
  return name;
};

/** Base64 of a picture, of sound or of a film, as MCP sends it. */
export const isMedia = (name: string, beside: Holder | null): boolean =>
  (name === "data" || name === "blob") && /^(?:image|audio|video|font)\//i.test(mimeOf(beside));

const isTextBlob = (name: string, beside: Holder | null): boolean => name === "data" && mimeOf(beside) !== "";

const mimeOf = (beside: Holder | null): string => {
  const mime = beside?.mimeType ?? beside?.mime_type ?? beside?.media_type;
  return typeof mime === "string" ? mime : "";
};

const redactedText = (text: string, name: string, isBlob: boolean, work: Work): string => {
  let current = text;
  for (let pass = 0; pass < maxPasses; pass++) {
    const spans = work.spans(current, name);
    if (spans.length === 0) return current;
    for (const { class: kind } of spans) work.classes.add(kind);
    current = isBlob ? inBase64(marker(spans[0]?.class ?? "text")) : replaced(current, spans);
  }
  return work.spans(current, name).length === 0 ? current : marker("text");
};

const replaced = (text: string, spans: readonly Span[]): string => {
  let result = "";
  let end = 0;
  for (const span of spans) {
    result += text.slice(end, span.start) + replacement(text, span);
    end = span.end;
  }
  result += text.slice(end);
  return isJson(text) && !isJson(result) ? throughJson(text, spans) : result;
};

/** Behind `base64,` stands base64 again, and a digit that was a number in JSON is a number again. */
const replacement = (text: string, { class: kind, start, encodings }: Span): string =>
  encodings.at(0) === "base64" && text.startsWith("base64,", start - 7) ? inBase64(marker(kind)) : marker(kind);

const inBase64 = (text: string): string => Buffer.from(text).toString("base64");

const isJson = (text: string): boolean => {
  if (!/^\s*[{["]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What was found is a number of the JSON in the text, or was escaped: the marker would break it. Zeros and texts do not. */
const throughJson = (text: string, spans: readonly Span[]): string => {
  let result = "";
  let end = 0;
  let isInString = false;
  for (const { start, end: stop, class: kind } of spans) {
    const between = text.slice(end, start);
    isInString = quotesIn(between) !== isInString;
    const found = text.slice(start, stop);
    result += between + (!isInString && /^[0-9.]+$/.test(found) ? "0" : marker(kind));
    isInString = quotesIn(found) !== isInString;
    end = stop;
  }
  result += text.slice(end);
  return isJson(result) ? result : JSON.stringify(marker("text"));
};

/** Whether a piece of JSON has an odd number of quotes that are not escaped: it ends a string, or begins one. */
const quotesIn = (piece: string): boolean => {
  let isOdd = false;
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) isOdd = !isOdd;
  }
  return isOdd;
};

/** What is read as a text is handed on as one: a broken letter in it stays broken. */
const redactedBytes = (bytes: Uint8Array, name: string, work: Work): Uint8Array => {
  const text = textIn(bytes);
  if (text === null) return bytes;
  const after = redactedText(text, name, false, work);
  return after === text ? bytes : new Uint8Array(Buffer.from(after));
};
