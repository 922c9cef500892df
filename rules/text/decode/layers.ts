import { base32, base64, binary, hex, shortestBlob } from "./blobs.ts";
import { codes } from "./codes.ts";
import { entities, escapes, percent } from "./escapes.ts";
import { holdsRun } from "./runs.ts";
import { wrapped } from "./wrapped.ts";

/** What one stretch of a text says once it is decoded. */
export interface Layer {
  readonly kind: "percent" | "entities" | "escapes" | "base64" | "base32" | "hex" | "binary" | "codes";
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where in `text` lies what was encoded; what is around it stood there in plain. */
  readonly from: number;
  readonly to: number;
}

/** A stretch that may hold something: one without spaces, or one of groups of digits. */
export interface Token {
  readonly start: number;
  readonly end: number;
}

/**
 * What is encoded in a text: escapes anywhere, and of the given tokens those that are a text in base64, base32, hexadecimal or binary
 * digits. One layer; whoever wants more asks again with what came out. Linear.
 */
export const layersOf = (text: string, tokens: readonly Token[], groups: readonly Token[]): readonly Layer[] =>
  tokens.length === 0 && groups.length === 0
    ? anywhere(text)
    : [...anywhere(text), ...inStretches(text, tokens, groups)];

const anywhere = (text: string): readonly Layer[] => {
  const layers = [percent(text), entities(text), escapes(text), codes(text)];
  return layers.every(({ length }) => length === 0) ? none : layers.flat();
};

const none: readonly Layer[] = Object.freeze([]);

const inStretches = (text: string, tokens: readonly Token[], groups: readonly Token[]): readonly Layer[] => {
  const inGroups = groups.flatMap((group) => binary(text, group));
  const lines = wrapped(text, tokens);
  // Most stretches without spaces are addresses and pieces of programs.
  const blobs = tokens.filter(({ start, end }) => holdsRun(text, start, end, shortestBlob));
  if (blobs.length === 0) return [...inGroups, ...lines];
  return [
    ...inGroups,
    ...blobs.flatMap((token) => base64(text, token)),
    ...lines,
    ...blobs.flatMap((token) => base32(text, token)),
    ...blobs.flatMap((token) => hex(text, token)),
  ];
};
