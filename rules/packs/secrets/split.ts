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
  const short = names.filter((name) => isPart(holder[name]));
  if (short.length > 1)
    join(
      short.map((name) => holder[name] as string),
      (part) => placed(place, isList ? `[${short[part]}]` : (short[part] as string)),
      found,
    );
  if (isList) for (const name of namesIn(value)) joinColumn(value, place, name, found);
  for (const name of names) {
    const inner = holder[name];
    if (typeof inner === "object") visit(inner, placed(place, isList ? `[${name}]` : name), found, depth + 1);
  }
};

const isPart = (value: WireValue | undefined): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= maxPartCharacters;

const placed = (holder: string, at: string): string =>
  holder === "" || at.startsWith("[") ? `${holder}${at}` : `${holder}.${at}`;

/** Names that the objects of a list share: what is in one frame under `payload` goes on in the next under the same name. */
const namesIn = (items: readonly WireValue[]): readonly string[] => {
  const [first] = items;
  return items.length > 1 && isHolder(first)
    ? Object.keys(first).filter((name) => typeof first[name] === "string")
    : [];
};

const joinColumn = (items: readonly WireValue[], place: string, name: string, found: Split[]): void => {
  const texts: string[] = [];
  const rows: number[] = [];
  for (const [index, item] of items.slice(0, maxParts).entries()) {
    const text = isHolder(item) ? item[name] : undefined;
    if (!isPart(text)) continue;
    texts.push(text);
    rows.push(index);
  }
  if (texts.length > 1) join(texts, (part) => placed(`${place}[${rows[part]}]`, name), found);
};

const isHolder = (value: WireValue | undefined): value is Holder =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** `part2: `, `chunk 3=`, `b) `. */
const label = /^[ \t]*[\w-]{1,16}(?: [0-9]{1,3})?[:=)][ \t]*/;

const trimmed = (text: string): string => text.trim();
const unlabelled = (text: string): string => text.replace(label, "").trim();

const join = (parts: readonly string[], placeOf: (part: number) => string, found: Split[]): void => {
  let before = "";
  for (const cut of [trimmed, unlabelled]) {
    const texts = parts.map(cut);
    const joined = texts.join("");
    // Without labels it is what was looked at.
    if (joined === before) return;
    before = joined;
    const secrets = prefixedSecrets(joined);
    if (secrets.length === 0) continue;
    const starts: number[] = [];
    let length = 0;
    for (const text of texts) {
      starts.push(length);
      length += text.length;
    }
    for (const { class: kind, start, end, confidence } of secrets) {
      const part = starts.findLastIndex((from) => from <= start);
      const next = starts[part + 1];
      if (confidence < likely || next === undefined || end <= next) continue;
      // Whole in its own text: that has been found there.
      if (prefixedSecrets(texts[part] ?? "").length > 0) continue;
      found.push({ class: kind, place: placeOf(part) });
      return;
    }
  }
};
