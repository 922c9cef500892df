import { StoreFailed } from "../store/refused.ts";
import { NotRecordable } from "./receipt.ts";
import type { AppendResult, CommitResult } from "./record.ts";

/** One line for the caller; a text of our own, since another error's message could quote what it failed on. */
const lineOf = (error: unknown): string =>
  error instanceof StoreFailed || error instanceof NotRecordable ? error.message : "the receipt could not be written";

export const failed = (error: unknown): AppendResult => ({ durable: false, error: lineOf(error) });

export const notDurable = (error: unknown): CommitResult => ({ outcome: "not_durable", error: lineOf(error) });
