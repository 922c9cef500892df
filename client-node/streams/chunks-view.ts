import { setOwn } from "../../wire/own-property.ts";
import { isPlainObject } from "../plain-object.ts";
import { sameView } from "../same-view.ts";
import { inFormOf, joined, type Part } from "./chunk.ts";
import { partsByPlace, withParts } from "./places.ts";
import { ReplacedApart, type StreamView } from "./view.ts";

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
const replacedChunks = (shownChunks: readonly unknown[], shown: Texts, replacement: unknown): readonly unknown[] => {
  if (!isPlainObject(replacement) || !(Object.hasOwn(replacement, "chunks") || Object.hasOwn(replacement, "texts"))) {
    return [replacement];
  }
  const { chunks, texts } = replacement;
  if (!Array.isArray(chunks) || !isPlainObject(texts) || Object.keys(replacement).length !== 2) {
    throw new ReplacedApart();
  }
  return withParts(chunks, putBack(partsByPlace(shownChunks), partsByPlace(chunks), shown, texts));
};

/**
 * A joined text that was changed stands in the first chunk that has a part of it, and nothing in the others: the pieces as they were would be
 * the text before the change.
 */
const putBack = (
  partsBefore: ReadonlyMap<string, readonly Part[]>,
  partsNow: ReadonlyMap<string, readonly Part[]>,
  shown: Texts,
  texts: Readonly<Record<string, unknown>>,
): ((place: string, part: Part) => Part) => {
  if (Object.keys(texts).some((place) => !Object.hasOwn(shown, place))) throw new ReplacedApart();
  const changed = new Map<string, Part>();
  for (const [place, before] of Object.entries(shown)) {
    const now = texts[place];
    const parts = partsNow.get(place);
    if (typeof now !== "string" && !(now instanceof Uint8Array)) throw new ReplacedApart();
    if (sameView(now, before)) continue;
    // Changed in its pieces as well: they are delivered, where they are what the joined text became.
    if (parts !== undefined && sameView(joined(parts), now)) continue;
    if (parts === undefined || !sameView(parts, partsBefore.get(place))) throw new ReplacedApart();
    changed.set(place, now);
  }
  const placed = new Set<string>();
  return (place, part) => {
    const whole = changed.get(place);
    if (whole === undefined) return part;
    const isFirst = !placed.has(place);
    placed.add(place);
    return inFormOf(part, isFirst ? whole : "");
  };
};
