import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the built daemon is, as its build wrote it beside the code: the SHA-256 of all of it, 64 hex digits. Null where nothing was
 * built there. It is as true as the code beside it: who writes the one writes the other.
 */
export const buildIdIn = (program: string): string | null => {
  try {
    const text = readFileSync(join(program, "build-id"), "latin1").trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch {
    return null;
  }
};
