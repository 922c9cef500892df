import { maxNameBytes } from "../../wire/limits.ts";

/** Decisions that wait for the daemon in one spool. Beyond it calls are blocked: none is forgotten. */
export const maxSpoolEntries = 4096;
/** One of them: four names, escaped, and what is of a fixed length. So a spool holds at most 4096 times as much. */
export const maxSpoolEntryBytes = 32 * 1024;
/** Decisions, each written to disk, before the program goes on for a moment. */
export const decidedAtOnce = 8;

if (maxSpoolEntryBytes < 4 * 6 * maxNameBytes + 2048) throw new Error("fallback limits: an entry always fits");
