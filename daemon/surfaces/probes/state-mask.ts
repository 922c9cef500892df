import { createHash } from "node:crypto";
import { canonical } from "../../../wire/canonical.ts";
import type { WireValue } from "../../../wire/value.ts";

/** A read state as a set of leaves: JSON Pointer (RFC 6901) to the JCS text's digest. Nothing of a value is kept. */
export type StateLeaves = ReadonlyMap<string, string>;

const maxLeaves = 50_000;
const maxDepth = 64;

/** Throws RangeError where there is more than is looked at: half of a state proves nothing. */
export const leavesOf = (state: WireValue): StateLeaves => {
  const leaves = new Map<string, string>();
  const walk = (value: WireValue, pointer: string, depth: number): void => {
    if (depth > maxDepth || leaves.size >= maxLeaves)
      throw new RangeError("the state that is read back is larger than is looked at");
    const isInner = typeof value === "object" && value !== null && !(value instanceof Uint8Array);
    const members = isInner ? Object.entries(value as { readonly [name: string]: WireValue }) : [];
    if (members.length === 0) leaves.set(pointer, digest(value));
    for (const [name, inner] of members)
      walk(inner, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
  };
  walk(jsonInTexts(state), "", 0);
  return leaves;
};

const digest = (value: WireValue): string => createHash("sha256").update(canonical(value)).digest("hex");

/** MCP results carry JSON as text: its fields are compared, not its spelling. */
const jsonInTexts = (value: WireValue): WireValue => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((item) => jsonInTexts(item as WireValue));
  const members = Object.entries(value as { readonly [name: string]: WireValue });
  return Object.fromEntries(
    members.map(([name, inner]) => [
      name,
      name === "text" && typeof inner === "string" ? parsed(inner) : jsonInTexts(inner),
    ]),
  );
};

const parsed = (text: string): WireValue => {
  if (!/^\s*[[{]/.test(text.slice(0, 64))) return text;
  try {
    return JSON.parse(text) as WireValue;
  } catch {
    return text;
  }
};

/** What differs between two reads with nothing between them: clocks, request ids, cursors. */
export const volatileIn = (one: StateLeaves, other: StateLeaves): ReadonlySet<string> =>
  differing(one, other, () => false);

/** The pointers at which two states differ, without those that are masked or lie below one. */
export const changedIn = (before: StateLeaves, after: StateLeaves, masked: ReadonlySet<string>): ReadonlySet<string> =>
  differing(before, after, (pointer) => isMasked(pointer, masked));

const differing = (
  one: StateLeaves,
  other: StateLeaves,
  leftOut: (pointer: string) => boolean,
): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [pointer, hash] of one) if (other.get(pointer) !== hash && !leftOut(pointer)) found.add(pointer);
  for (const pointer of other.keys()) if (!one.has(pointer) && !leftOut(pointer)) found.add(pointer);
  return found;
};

const isMasked = (pointer: string, masked: ReadonlySet<string>): boolean => {
  for (let at = pointer.length; at >= 0; at = pointer.lastIndexOf("/", at - 1)) {
    if (masked.has(pointer.slice(0, at))) return true;
    if (at === 0) break;
  }
  return false;
};

/** One digest of a state without what is masked, for the record of the probe. */
export const stateHash = (leaves: StateLeaves, masked: ReadonlySet<string>): string =>
  `sha256:${digest([...leaves].filter(([pointer]) => !isMasked(pointer, masked)).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
