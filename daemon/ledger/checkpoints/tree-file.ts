import { readOwnFile } from "../../store/read-own-file.ts";
import { replaceCache } from "../../store/replace-file.ts";
import { CompactRange } from "../tree/compact-range.ts";

/** The tree of a checkpoint, and the receipt that it ends with. */
export interface SavedTree {
  readonly tree: CompactRange;
  /** 64 hex digits: the hash of receipt number `tree.size`. */
  readonly lastHash: string;
}

const maxTreeBytes = 8 * 1024;
const text = /^(0|[1-9][0-9]{0,15}) ([0-9a-f]{64})((?: [0-9a-f]{64})*)\n$/;

/**
 * What the thread that signs goes on with after a restart: size, the last receipt's hash, and the frontier, on one line.
 * It is believed only where its root is that of a checkpoint, so whoever alters it makes the tree be built anew. Null
 * where there is none to be used.
 */
export const readTreeFile = (path: string): SavedTree | null => {
  const read = readOwnFile(path, maxTreeBytes);
  const parts = typeof read === "string" ? text.exec(read) : null;
  if (parts === null) return null;
  const [, size, lastHash, frontier] = parts as unknown as readonly [string, string, string, string];
  const tree = CompactRange.resume(Number(size), frontier === "" ? [] : frontier.slice(1).split(" "));
  return tree === null ? null : { tree, lastHash };
};

/** Throws StoreFailed. */
export const writeTreeFile = (path: string, { tree, lastHash }: SavedTree): void =>
  replaceCache(path, `${[tree.size, lastHash, ...tree.frontier()].join(" ")}\n`, "the tree of the checkpoint");
