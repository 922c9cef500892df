import { closeSync, constants, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../store/state-directory.ts";
import { maxStopReasonBytes, reasonIn } from "./reason.ts";

/** While something of this name lies in the state directory, its daemon blocks everything. */
export const stopFileIn = (state: string): string => join(state, "STOP");

/** What is known of who put it there. */
export interface StopFile {
  /** Of the file system; null where it does not tell. */
  readonly since_ms: number | null;
  readonly uid: number | null;
  /** Its first line; empty where it has none. */
  readonly reason: string;
}

const untold: StopFile = Object.freeze({ since_ms: null, uid: null, reason: "whether it is there cannot be told" });

/** Null only where nothing is there: what cannot be looked at counts as there, and so does a link or a folder. */
export const lookAtStopFile = (path: string): StopFile | null => {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    return codeOf(error) === "ENOENT" ? null : untold;
  }
  return Object.freeze({
    since_ms: Math.floor(stats.mtimeMs),
    uid: stats.uid,
    reason: stats.isFile() ? firstLine(path) : "",
  });
};

const firstLine = (path: string): string => {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(maxStopReasonBytes);
    return reasonIn(bytes.toString("utf8", 0, readSync(descriptor, bytes)).split("\n", 1)[0] ?? "");
  } catch {
    return "";
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
};
