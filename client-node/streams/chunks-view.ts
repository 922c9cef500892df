import { setOwn } from "../../wire/own-property.ts";
import { isPlainObject } from "../plain-object.ts";
import { sameView } from "../same-view.ts";
import { inFormOf, isPart, joined, type Part } from "./chunk.ts";
import { partsByPlace, withParts } from "./places.ts";
import { type Replaced, ReplacedApart, type StreamView } from "./view.ts";

type Texts = Readonly<Record<string, Part>>;

/**
 * A stream of objects is judged as `{chunks, texts}`. `texts` has, by their place in the chunks, the texts that differ from chunk to chunk,
 * joined: what was split over chunks is seen in one piece.
 */
export const chunksView = (chunks: readonly unknown[]): StreamView => {
  const texts = joinedTexts(chunks);
  return { shown: { chunks, texts }, replacedBy: (replacement) => replacedChunks(chunks, texts, replacement) };
};

/** One part alone stands in its chunk, and a part that is always the same (an id, a model's name) says nothing more when it is joined. */
const joinedTexts = (chunks: readonly unknown[]): Texts => {
  const texts: Record<string, Part> = {};
  for (const [place, parts] of partsByPlace(chunks)) {
    if (parts.every((part) => sameView(part, parts[0]))) continue;
    const whole = joined(parts);
    if (whole !== null) setOwn(texts, place, whole);
  }
  return texts;
};

/** What a rule made of the view, as chunks again; anything else that it answered is one chunk. */
const replacedChunks = (shownChunks: readonly unknown[], shown: Texts, replacement: unknown): Replaced => {
  if (!isPlainObject(replacement) || !(Object.hasOwn(replacement, "chunks") || Object.hasOwn(replacement, "texts"))) {
    return { chunks: [replacement], isMerged: false };
  }
  const { chunks, texts } = replacement;
  if (!Array.isArray(chunks) || !isPlainObject(texts) || Object.keys(replacement).length !== 2) {
    throw new ReplacedApart();
  }
  const { wholes, isMerged } = changedTexts(partsByPlace(shownChunks), partsByPlace(chunks), shown, texts);
  return { chunks: wholes.size === 0 ? chunks : withWholes(chunks, wholes), isMerged };
};

type Parts = ReadonlyMap<string, readonly Part[]>;
type Wholes = ReadonlyMap<string, Part>;

/** The joined texts that have to stand in the place of their pieces. */
const changedTexts = (
  before: Parts,
  now: Parts,
  shown: Texts,
  texts: Readonly<Record<string, unknown>>,
): { readonly wholes: Wholes; readonly isMerged: boolean } => {
  if (Object.keys(texts).some((place) => !Object.hasOwn(shown, place))) throw new ReplacedApart();
  const wholes = new Map<string, Part>();
  let isMerged = false;
  for (const [place, was] of Object.entries(shown)) {
    const whole = texts[place];
    const parts = now.get(place);
    if (!isPart(whole)) throw new ReplacedApart();
    // Changed in its pieces alone, or there as in the joined text: the pieces are delivered.
    if (sameView(whole, was) || (parts !== undefined && sameView(joined(parts), whole))) continue;
    if (parts === undefined) throw new ReplacedApart();
    if (!sameView(parts, before.get(place))) isMerged = true;
    wholes.set(place, whole);
  }
  return { wholes, isMerged };
};

/**
 * Each such text stands in the first chunk that has a part of it, and nothing in the others: the pieces as they were would be the text
 * before the change.
 */
const withWholes = (chunks: readonly unknown[], wholes: Wholes): readonly unknown[] => {
  const placed = new Set<string>();
  return withParts(chunks, (place, part) => {
    const whole = wholes.get(place);
    if (whole === undefined) return part;
    const isFirst = !placed.has(place);
    placed.add(place);
    return inFormOf(part, isFirst ? whole : "");
  });
};
