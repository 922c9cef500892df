import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { maxDocumentBytes } from "../../wire/signed-document.ts";
import type { DocumentFile } from "../keys/verify-document.ts";
import { ScopesRefused } from "./refusal.ts";

/** Reads a scope document's file once, signed or as it is written. Throws `ScopesRefused` (`unreadable`, `too_large`). */
export const readScopeFile = async (path: string): Promise<DocumentFile> => {
  // A pipe in its place would be waited for.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw new ScopesRefused("unreadable", `scope document ${path} cannot be read (${error.code ?? "unknown error"})`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ScopesRefused("unreadable", `scope document ${path} is not a regular file`);
    if (stat.size > maxDocumentBytes)
      throw new ScopesRefused("too_large", `scope document ${path} is larger than ${maxDocumentBytes} bytes`);
    return Object.freeze({ path, bytes: await handle.readFile() });
  } finally {
    await handle.close();
  }
};
