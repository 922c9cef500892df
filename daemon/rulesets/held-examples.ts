import { join } from "node:path";
import { readOwnFile } from "../store/read-own-file.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";

/** Of how many pairs of a rule set and a daemon; the oldest go first. */
export const maxHeldSets = 64;
/** A mark is 64 hex digits; with quotes and a comma, a kilobyte for each is far more than they take. */
const maxFile_bytes = maxHeldSets * 1024;

/** Which rule sets, by the digest of what was signed, have shown under this very daemon that all their examples hold. */
export interface HeldExamples {
  has(digest: string): boolean;
}

/** The same, and where it is noted. */
export interface HeldExamplesFile extends HeldExamples {
  /** Remembers these. Throws what the file system does; then the examples run again at the next start, and no more is lost. */
  keep(digests: readonly string[]): Promise<void>;
}

export interface HeldExamplesPlace {
  readonly state: string;
  /** HMAC under the store's key, for the one purpose `examples-held`. */
  readonly mark: (value: readonly string[]) => string;
  /** The digest of the daemon's code (`buildIdIn`); null where it is not known, and then nothing is remembered. */
  readonly daemon: string | null;
}

export const heldExamplesIn = (state: string): string => join(state, "examples-held.json");

/**
 * A start need not run the examples of bytes that have passed: same manifest and bundle, same daemon, same Node. Each is remembered as a
 * MAC that only the daemon can make, so whoever writes to the file can make it run examples again and can spare it none.
 * A file that cannot be read, or holds anything else, remembers nothing.
 */
export const heldExamples = ({ state, mark, daemon }: HeldExamplesPlace): HeldExamplesFile => {
  const path = heldExamplesIn(state);
  const marks = new Set(daemon === null ? [] : marksIn(path));
  const markOf = (digest: string): string => mark([digest, daemon ?? "", process.version, process.arch]);
  return Object.freeze({
    has: (digest: string) => daemon !== null && marks.has(markOf(digest)),
    async keep(digests: readonly string[]) {
      const fresh = digests.map(markOf).filter((one) => !marks.has(one));
      if (daemon === null || fresh.length === 0) return;
      for (const one of fresh) marks.add(one);
      const newest = [...marks].slice(-maxHeldSets);
      await writeFileAtomically(path, `${JSON.stringify(newest)}\n`, 0o600);
    },
  });
};

const marksIn = (path: string): readonly string[] => {
  const text = readOwnFile(path, maxFile_bytes);
  if (typeof text !== "string") return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.length <= maxHeldSets && value.every(isMark) ? value : [];
  } catch {
    return [];
  }
};

const isMark = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
