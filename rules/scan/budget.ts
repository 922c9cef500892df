import { createHash } from "node:crypto";
import type { WireValue } from "../../wire/value.ts";
import type { Texts } from "./texts.ts";

/** What happens with what is more than is looked at. `digest`: the rest of a result is replaced by its SHA-256. */
export type Over = "block" | "digest";

/** Characters of one event that are looked at where nothing else was set. A frame of 8 MiB has fewer. */
export const defaultMaxScannedCharacters = 16 * 1024 * 1024;

export const isOver = ({ characters, isCutShort }: Texts, maxScannedCharacters: number): boolean =>
  isCutShort || characters > maxScannedCharacters;

/** Keeps the first characters that fit, and puts a digest in the place of each text behind them. Deeper than anybody looks is cut. */
export const digested = (value: WireValue, maxScannedCharacters: number): WireValue => {
  const left = { characters: maxScannedCharacters, members: maxMembersKept };
  return kept(value, left, 0);
};

interface Left {
  characters: number;
  members: number;
}

/** As many as are looked at. */
const maxMembersKept = 200_000;
const maxDepthKept = 64;

const kept = (value: WireValue, left: Left, depth: number): WireValue => {
  if (typeof value === "string") return within(value, value, value.length, left);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return within(value, value, value.length, left);
  if (depth >= maxDepthKept) return notScanned("", 0);
  if (Array.isArray(value)) {
    const items: WireValue[] = [];
    for (const item of value) {
      if (left.members-- <= 0) break;
      items.push(kept(item, left, depth + 1));
    }
    return items;
  }
  const members: [string, WireValue][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (left.members-- <= 0) break;
    if (within(name, name, name.length, left) !== name) break;
    members.push([name, kept(item as WireValue, left, depth + 1)]);
  }
  return Object.fromEntries(members);
};

const within = (value: WireValue, bytes: string | Uint8Array, characters: number, left: Left): WireValue => {
  left.characters -= characters;
  return left.characters >= 0 ? value : notScanned(bytes, characters);
};

const notScanned = (bytes: string | Uint8Array, characters: number): string =>
  `[NOT SCANNED sha256:${createHash("sha256").update(bytes).digest("hex")} characters:${characters}]`;
