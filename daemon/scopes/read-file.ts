import { maxDocumentBytes } from "../../wire/signed-document.ts";
import type { DocumentFile } from "../keys/verify-document.ts";
import { FileUnread, readRegularFile } from "../store/regular-file.ts";
import { ScopesRefused } from "./refusal.ts";

/** Reads a scope document's file once, signed or as it is written. Throws `ScopesRefused` (`unreadable`, `too_large`). */
export const readScopeFile = async (path: string): Promise<DocumentFile> => {
  try {
    return Object.freeze({ path, bytes: await readRegularFile(path, maxDocumentBytes) });
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    throw new ScopesRefused(error.why === "too_large" ? "too_large" : "unreadable", `scope document ${error.message}`);
  }
};
