import { MAX_LINE } from "../../../wire/limits.ts";

/** Limits of a relay. What a frame to the daemon holds is in wire/limits.ts. */

/** One message, either way, with its newline. A longer one is skipped unread, and refused by name. */
export const maxMessageBytes = 16 * 1024 * 1024;
/** A result of at most this many bytes is judged as it is; a longer one piece by piece (judge-large.ts). The rest of a frame is for its names. */
export const maxWholeBytes = MAX_LINE - 64 * 1024;
/** Requests of one side that may be without an answer. One more is refused. */
export const maxOpenRequests = 1024;
/** Messages of one batch (2025-03-26). */
export const maxBatchMessages = 256;
/** Bytes of results that are being judged. Beyond it nothing more is read from the server. */
export const maxJudgedBytes = 4 * maxMessageBytes;
/** Ids of calls that the host cancelled, remembered because a server may answer them all the same. */
export const maxCancelledIds = 1024;
/** Tasks whose results are still to come, and calls that an operator has to approve, remembered by what they were. */
export const maxTasks = 1024;
export const maxAwaitedApprovals = 256;
/** What a person is shown of the arguments that they approve. */
export const maxShownArguments = 2048;
/** The windows in which a long text is judged, and how much of each the next one sees again. */
export const windowChars = 1024 * 1024;
export const overlapChars = 64 * 1024;
/** Lines on stderr about one kind of trouble; then it is only counted. */
export const maxNoticesOfAKind = 5;

const holds = (relation: boolean, words: string): void => {
  if (!relation) throw new Error(`adapters/mcp/relay/limits: ${words}`);
};
holds(maxJudgedBytes >= maxMessageBytes, "the longest message can be judged");
holds(windowChars * 6 < maxWholeBytes, "a window fits a frame, however it is escaped");
holds(overlapChars < windowChars, "windows advance");
