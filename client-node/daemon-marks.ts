import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { asOwnCall } from "./intercept/own-call.ts";

// Taken before a guarded process has its builtins replaced.
const [stat, readLink] = [lstatSync, readlinkSync];

/** As many links as a system follows, about; beyond it nobody can connect either. */
const mostLinks = 40;

/**
 * Does a mark of the daemon's stand beside its socket: `<socket>.restarting`, `<socket>.stopped`? The daemon knows its socket by the
 * path at which it lies; a client may have been given a link to it, and looks beside each step of the way. Whatever lies there is a
 * mark, and where it cannot be told whether one does, it does: the error is on the side of waiting.
 */
export const isMarked = (socketPath: string, mark: "restarting" | "stopped"): boolean => {
  let path = socketPath;
  for (let links = 0; links <= mostLinks; links++) {
    if (stands(`${path}.${mark}`)) return true;
    const next = linkedFrom(path);
    if (next === null) return false;
    path = next;
  }
  return true;
};

const stands = (path: string): boolean => {
  try {
    return asOwnCall(() => stat(path, { throwIfNoEntry: false })) !== undefined;
  } catch {
    return true;
  }
};

/** Null where it is no link: EINVAL says that, and ENOENT that nothing is there. Anything else shows up beside the mark. */
const linkedFrom = (path: string): string | null => {
  try {
    return resolve(
      dirname(path),
      asOwnCall(() => readLink(path)),
    );
  } catch {
    return null;
  }
};
