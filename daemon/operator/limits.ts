import { MAX_LINE } from "../../wire/limits.ts";

/** The operator plane's own limits; the wire's are in wire/limits.ts. */

/** One request: an id, a token, a note. */
export const maxOperatorFrameBytes = 64 * 1024;
export const maxOperatorConnections = 64;
/** Connections that were cut off and have not closed yet: they keep nobody out. */
export const closingOperatorConnections = 64;
/** How long a connection may be open before it has shown an operator's token. */
export const unrecognised_ms = 5_000;
/** Rows of one list. */
export const maxListed = 500;
/** What an operator writes beside a decision. */
export const maxNoteBytes = 1024;
/** Arguments that a list and a watcher are shown; longer ones are shown by `approvals.show`. */
export const maxListedArgumentBytes = 4 * 1024;
/** A sealed box of more is not opened for a list: what is in it beside the arguments are three names. */
export const maxListedBoxBytes = 4 * maxListedArgumentBytes;
/** Rows of a list that are read in one turn: what agents ask is not kept waiting for the rest. */
export const rowsInTurn = 16;
/** How often watchers' requests are looked for, while there are watchers. */
export const watchInterval_ms = 250;
/** A watcher hears at least this often that it still watches. */
export const watchBeat_ms = 5_000;
/** A watcher that heard nothing for so long knows that it does not. */
export const watchSilence_ms = 3 * watchBeat_ms;
/** Pending requests that a watch follows at once, oldest first. */
export const maxWatched = maxListed;
/** operators.json. */
export const maxOperatorsFileBytes = 1024 * 1024;
export const maxOperators = 1_000;
export const maxRoles = 32;
/** 32 random bytes in base64url. */
export const tokenBytes = 32;

const holds = (relation: boolean, words: string): void => {
  if (!relation) throw new Error(`operator/limits: ${words}`);
};
holds(maxListed * (maxListedArgumentBytes + 8 * 1024) < MAX_LINE, "a list fits a frame");
holds(maxOperatorFrameBytes < MAX_LINE, "a request fits a frame");
