import { Buffer } from "node:buffer";
import { admit } from "../../wire/admission.ts";
import { canonical } from "../../wire/canonical.ts";
import { type OfflineDecision, parseOfflineDecision } from "../../wire/offline-body.ts";
import { readRegularFile } from "../regular-file.ts";
import { maxSpoolEntries, maxSpoolEntryBytes } from "./limits.ts";
import { namesIn, removeFile, writeOnce } from "./own-files.ts";
import { FallbackRefused } from "./refusal.ts";
import { secureDirectory, unusable } from "./spool-directory.ts";

const named = /^decided-[0-9a-f]{32}\.json$/;

/**
 * What was decided without the daemon and is to be told to it: one file a decision, of mode 0600, in a directory of ours. A file is
 * whole and on disk (fsync of it and of the directory) before its decision is acted on, so a crash loses none; processes that
 * share the directory never write the same file; and any of them may tell what another left behind.
 */
export class Spool {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Durable when it returns. @throws FallbackRefused it is full, or cannot be written */
  add(decision: OfflineDecision): void {
    secureDirectory(this.directory);
    if (this.#names().length >= maxSpoolEntries) {
      throw new FallbackRefused(
        "fallback_spool_full",
        `${maxSpoolEntries} calls decided without the daemon wait for it in ${this.directory}; start it`,
      );
    }
    try {
      writeOnce(this.directory, `decided-${decision.id}.json`, `${canonical({ ...decision })}\n`, decision.id);
    } catch (error) {
      throw unusable(
        `${this.directory} cannot be written (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`,
      );
    }
  }

  /** Up to so many of them. A file that is damaged is passed over and stays, for a person to look at; it takes a place. */
  entries(limit: number): readonly OfflineDecision[] {
    const entries: OfflineDecision[] = [];
    for (const name of this.#names()) {
      if (entries.length === limit) break;
      const entry = readEntry(`${this.directory}/${name}`);
      if (entry !== null && name === `decided-${entry.id}.json`) entries.push(entry);
    }
    return entries;
  }

  /** They are recorded. */
  remove(decisions: readonly OfflineDecision[]): void {
    for (const { id } of decisions) removeFile(`${this.directory}/decided-${id}.json`);
  }

  #names(): readonly string[] {
    try {
      return namesIn(this.directory).filter((name) => named.test(name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return [];
      throw unusable(`${this.directory} cannot be read (${code ?? "unknown error"})`);
    }
  }
}

const readEntry = (path: string): OfflineDecision | null => {
  try {
    return parseOfflineDecision(admit(Buffer.from(readRegularFile(path, maxSpoolEntryBytes))), "");
  } catch {
    return null;
  }
};
