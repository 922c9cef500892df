import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { admit } from "../../wire/admission.ts";
import { isObject, own } from "../../wire/fields.ts";
import { readRegularFile } from "../regular-file.ts";
import type { SeenPolicy } from "./accept-document.ts";
import { namesIn, removeFile, writeOnce } from "./own-files.ts";
import { unusable } from "./spool-directory.ts";

const maxSeenBytes = 4096;
const named = /^seen-([0-9]{16})\.json$/;

/** The newest one; null where nothing was decided here yet. What cannot be read was something: nothing is decided then. @throws FallbackRefused */
export const newestSeen = (directory: string): SeenPolicy | null => {
  const newest = seenNames(directory).at(-1);
  return newest === undefined ? null : readSeen(`${directory}/${newest}`);
};

/**
 * One file a version, none ever written over: whatever two processes do at once, the highest stays the highest. Older ones are
 * taken away.
 */
export const rememberSeen = (directory: string, seen: SeenPolicy): void => {
  const name = nameOf(seen.version);
  try {
    writeOnce(directory, name, `${JSON.stringify({ v: 1, ...seen })}\n`, randomBytes(16).toString("hex"));
    for (const older of seenNames(directory)) if (older < name) removeFile(`${directory}/${older}`);
  } catch (error) {
    throw unusable(
      `cannot remember the policy's version (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`,
    );
  }
};

const nameOf = (version: number): string => `seen-${String(version).padStart(16, "0")}.json`;

/** Oldest first. */
const seenNames = (directory: string): readonly string[] => {
  try {
    return namesIn(directory)
      .filter((name) => named.test(name))
      .sort();
  } catch (error) {
    throw unusable(`${directory} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
};

const readSeen = (path: string): SeenPolicy => {
  const damaged = (): never => {
    throw unusable(`does not say which policy was used: ${path} is damaged`);
  };
  let json: ReturnType<typeof admit>;
  try {
    json = admit(Buffer.from(readRegularFile(path, maxSeenBytes)));
  } catch {
    return damaged();
  }
  if (!isObject(json)) return damaged();
  const [v, id, version, digest] = [own(json, "v"), own(json, "id"), own(json, "version"), own(json, "digest")];
  if (v !== 1 || typeof id !== "string" || typeof digest !== "string" || typeof version !== "number") return damaged();
  return nameOf(version) === path.slice(path.lastIndexOf("/") + 1) ? { id, version, digest } : damaged();
};
