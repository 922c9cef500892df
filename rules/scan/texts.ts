import type { WireValue } from "../../wire/value.ts";
import type { Inner } from "./inner.ts";

/** One text of a value: a string, the name of a member, or bytes that are text. */
export interface Text {
  /** What it decodes to, once a detector has asked: it is decoded once for all. A field, since a map of half a million texts takes a second. */
  inners: readonly Inner[] | null;
  /** Where it is: `content[0].text`, `headers.Authorization`; empty for the value itself. A name of a member has the place of its member. */
  readonly place: string;
  readonly text: string;
  readonly kind: "value" | "name" | "bytes";
  /** The name of the member that holds it, for a list's items the list's; empty at the top. */
  readonly name: string;
  /** The object that holds it, for what stands beside it (`mimeType`, `type`); null at the top and in lists at the top. */
  readonly beside: { readonly [name: string]: WireValue } | null;
}

export interface Texts {
  readonly texts: readonly Text[];
  /** UTF-16 units of all texts together. */
  readonly characters: number;
  /** There is more than is looked at: deeper, or more members. Whoever judges must not call that clean. */
  readonly isCutShort: boolean;
}

/** Members and items of one value that are looked at. A frame of 8 MiB can hold more; walking them takes some 40 ms. */
export const maxMembersLookedAt = 200_000;
/** Deeper than a frame may nest. */
export const maxDepthLookedAt = 64;

const known = new WeakMap<object, Texts>();

/**
 * Every text in a value, nested ones, names of members and text in bytes included, in order. A value of an event is frozen, so
 * it is walked once for all rules that ask.
 */
export const textsOf = (value: WireValue): Texts => {
  if (typeof value !== "object" || value === null) return walked(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  const texts = walked(value);
  if (Object.isFrozen(value)) known.set(value, texts);
  return texts;
};

interface Walk {
  readonly texts: Text[];
  characters: number;
  left: number;
  isCutShort: boolean;
}

type Holder = { readonly [name: string]: WireValue };

const walked = (value: WireValue): Texts => {
  const walk: Walk = { texts: [], characters: 0, left: maxMembersLookedAt, isCutShort: false };
  visit(value, "", "", null, walk, 0);
  return { texts: walk.texts, characters: walk.characters, isCutShort: walk.isCutShort };
};

const visit = (
  value: WireValue,
  place: string,
  name: string,
  beside: Holder | null,
  walk: Walk,
  depth: number,
): void => {
  if (typeof value === "string") take({ place, text: value, kind: "value", name, beside, inners: null }, walk);
  if (typeof value !== "object" || value === null) return;
  if (value instanceof Uint8Array) {
    const text = textIn(value);
    if (text !== null) take({ place, text, kind: "bytes", name, beside, inners: null }, walk);
    return;
  }
  if (depth >= maxDepthLookedAt) {
    walk.isCutShort = true;
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (isOver(walk)) return;
      visit(item, `${place}[${index}]`, name, beside, walk, depth + 1);
    }
    return;
  }
  const holder = value as Holder;
  for (const inner of Object.keys(holder)) {
    if (isOver(walk)) return;
    const at = place === "" ? inner : `${place}.${inner}`;
    take({ place: at, text: inner, kind: "name", name: inner, beside: holder, inners: null }, walk);
    visit(holder[inner] as WireValue, at, inner, holder, walk, depth + 1);
  }
};

/** Counts one member; true where there are too many. */
const isOver = (walk: Walk): boolean => {
  walk.left--;
  if (walk.left < 0) walk.isCutShort = true;
  return walk.left < 0;
};

const take = (text: Text, walk: Walk): void => {
  if (text.text === "") return;
  walk.texts.push(text);
  walk.characters += text.text.length;
};

/** One broken letter in so many is still a text: a single byte that is no UTF-8 must not hide the others. */
const lettersForOneBroken = 16;

/** Bytes that are UTF-8, but for a broken letter here and there, are a text; pictures and archives hold none that could be read. */
export const textIn = (bytes: Uint8Array): string | null => {
  const text = new TextDecoder().decode(bytes);
  let left = Math.floor(text.length / lettersForOneBroken);
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) if (--left < 0) return null;
  return text;
};
