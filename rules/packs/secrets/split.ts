import type { WireValue } from "../../../wire/value.ts";
import { prefixedSecrets } from "./detect.ts";
import { likely } from "./kind.ts";

/** A secret that stands in no text whole, and in two or more that follow each other it does. */
export interface Split {
  readonly class: string;
  /** Where its first part is. */
  readonly place: string;
}

/** Longer texts are read for themselves; a part of a secret is short. */
const maxPartCharacters = 256;
/** Parts that are put together in one list or object. */
const maxParts = 512;
const maxDepth = 16;

interface Part {
  /** The list or object that it is in, and its place there. */
  readonly holder: string;
  readonly at: string;
  readonly text: string;
}

/** `{access_key: "AKIA…", key_suffix: "…"}`, frames of one message, `part1: …` and `part2: …`. Only kinds that chance does not make. */
export const splitSecrets = (value: WireValue): readonly Split[] => {
  const found: Split[] = [];
  visit(value, "", found, 0);
  return found;
};

type Holder = { readonly [name: string]: WireValue };

const visit = (value: WireValue, place: string, found: Split[], depth: number): void => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return;
  const isList = Array.isArray(value);
  const holder = value as Holder;
  const names = isList
    ? Array.from({ length: Math.min(value.length, maxParts) }, (_, index) => String(index))
    : Object.keys(holder).slice(0, maxParts);
  const parts: Part[] = [];
  for (const name of names) {
    const text = holder[name];
    if (typeof text === "string") parts.push({ holder: place, at: isList ? `[${name}]` : name, text });
  }
  join(parts, found);
  if (isList) for (const name of namesIn(value)) join(column(value, place, name), found);
  for (const name of names) {
    const inner = holder[name];
    if (typeof inner === "object") visit(inner, placed(place, isList ? `[${name}]` : name), found, depth + 1);
  }
};

const placed = (holder: string, at: string): string =>
  holder === "" || at.startsWith("[") ? `${holder}${at}` : `${holder}.${at}`;

/** Names that the objects of a list share: what is in one frame under `payload` goes on in the next under the same name. */
const namesIn = (items: readonly WireValue[]): readonly string[] => {
  const [first] = items;
  return items.length > 1 && isHolder(first)
    ? Object.keys(first).filter((name) => typeof first[name] === "string")
    : [];
};

const column = (items: readonly WireValue[], place: string, name: string): readonly Part[] =>
  items.slice(0, maxParts).flatMap((item, index) => {
    const text = isHolder(item) ? item[name] : undefined;
    return typeof text === "string" ? [{ holder: `${place}[${index}]`, at: name, text }] : [];
  });

const isHolder = (value: WireValue | undefined): value is Holder =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** `part2: `, `chunk 3=`, `b) `. */
const label = /^[ \t]*[\w-]{1,16}(?: [0-9]{1,3})?[:=)][ \t]*/;

const join = (parts: readonly Part[], found: Split[]): void => {
  const short = parts.filter(({ text }) => text.length > 0 && text.length <= maxPartCharacters);
  if (short.length < 2) return;
  let before = "";
  for (const cut of [(text: string): string => text.trim(), (text: string): string => text.replace(label, "").trim()]) {
    const texts = short.map(({ text }) => cut(text));
    const starts: number[] = [];
    let joined = "";
    for (const text of texts) {
      starts.push(joined.length);
      joined += text;
    }
    // Without labels it is what was looked at.
    if (joined === before) return;
    before = joined;
    for (const { class: kind, start, end, confidence } of prefixedSecrets(joined)) {
      const part = starts.findLastIndex((from) => from <= start);
      const next = starts[part + 1];
      if (confidence < likely || next === undefined || end <= next) continue;
      // Whole in its own text: that has been found there.
      if (prefixedSecrets(texts[part] ?? "").length > 0) continue;
      const { holder, at } = short[part] as Part;
      found.push({ class: kind, place: placed(holder, at) });
      return;
    }
  }
};
