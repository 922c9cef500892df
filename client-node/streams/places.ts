import { WireError } from "../../wire/errors.ts";
import { MAX_LINE, maxNestingDepth } from "../../wire/limits.ts";
import { setOwn } from "../../wire/own-property.ts";
import { isPlainObject } from "../plain-object.ts";
import { isPart, type Part } from "./chunk.ts";

/** Characters of all places together. Names that are long and deep would otherwise grow beyond what they are the places of. */
const maxPlaceCharacters = 4 * MAX_LINE;

/**
 * The chunks with each part of them replaced by what `change` makes of it. A part's place is one within its chunk:
 * `choices[0].delta.content`; empty where the chunk itself is the part.
 *
 * @throws WireError `too_large` the places alone would fill a frame
 */
export const withParts = (chunks: readonly unknown[], change: (place: string, part: Part) => Part): unknown[] => {
  let left = maxPlaceCharacters;
  const visit = (value: unknown, place: string, depth: number): unknown => {
    if (isPart(value)) {
      left -= place.length;
      if (left < 0) throw new WireError("too_large", "the names in the stream are longer than a frame may be");
      return change(place, value);
    }
    if (typeof value !== "object" || value === null || depth > maxNestingDepth) return value;
    if (Array.isArray(value)) return value.map((item, index) => visit(item, `${place}[${index}]`, depth + 1));
    if (!isPlainObject(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      setOwn(copy, key, visit(value[key], place === "" ? key : `${place}.${key}`, depth + 1));
    }
    return copy;
  };
  return chunks.map((chunk) => visit(chunk, "", 1));
};

/** The parts of all chunks by their places, in order. */
export const partsByPlace = (chunks: readonly unknown[]): ReadonlyMap<string, readonly Part[]> => {
  const places = new Map<string, Part[]>();
  withParts(chunks, (place, part) => {
    const parts = places.get(place);
    if (parts === undefined) places.set(place, [part]);
    else parts.push(part);
    return part;
  });
  return places;
};
