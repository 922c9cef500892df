/**
 * Every limit of the wire, with its unit in its name. The relations between them are asserted at the end of the
 * file, so that a changed number which breaks an argument elsewhere breaks the build instead.
 */

/** Protocol version 1; there is no other. */
export const PROTOCOL_VERSION = 1;
/** One frame, newline included (wire v1). Exactly this many bytes is accepted, one more is not. */
export const MAX_LINE = 8 * 1024 * 1024;
/** Nesting of arrays and objects in one frame. Counted from the frame's own object, which is depth 1. */
export const maxNestingDepth = 128;
/** Members and items of one value that is to be sent. Each takes two bytes at least, so a frame holds no more. */
export const maxValueNodes = MAX_LINE / 2;
/** `reason` in a decision: one line of UTF-8. */
export const maxReasonBytes = 512;
/** A request id longer than this is refused: it is echoed, kept for a resend, and written to the receipt. */
export const maxRequestIdBytes = 256;
/** `action`, `principal`, `parent_principal`, `span_id`, `call_id`: each is written to the receipt. */
export const maxNameBytes = 1024;
/** `hello.nonce`: what a resend is matched by. 16 bytes in base64url is 22 characters. */
export const minNonceBytes = 16;
export const maxNonceBytes = 128;
/** `hello.token`: a bearer token, such as a signed one of a few claims. */
export const maxTokenBytes = 8192;
/** `hello.features`: more names than there will be features, each longer than any. */
export const maxFeatureNames = 64;
export const maxFeatureNameBytes = 64;
/** Each text of `surface.identity`: a command, a URL, a package's name. */
export const maxIdentityBytes = 4096;
/** `surface.ttl_ms`: what a server says of how long its lists hold is never taken for longer. */
export const maxSurfaceTtl_ms = 24 * 60 * 60 * 1000;
/** Decisions that one `offline` frame tells. */
export const maxOfflineDecisions = 64;
/** Requests one connection may have undecided. The daemon stops reading beyond it. */
export const maxInFlightRequests = 256;
/** Answers a session's resend can ask for again. At least twice what can be in flight, so none is lost unasked. */
export const maxKeptAnswersPerSession = 1024;
/** How long an answer can be asked for again, from the moment that it was decided. */
export const resendLease_ms = 60_000;
/** Unread answers a peer may leave in the daemon's memory before it is cut off: room for two whole frames. */
export const maxUnreadAnswerBytes = 2 * MAX_LINE;

const holds = (relation: boolean, words: string): void => {
  if (!relation) throw new Error(`wire/limits: ${words}`);
};
holds(maxKeptAnswersPerSession >= 2 * maxInFlightRequests, "kept answers cover what is in flight");
holds(maxUnreadAnswerBytes >= 2 * MAX_LINE, "a whole answer always fits the unread bound");
holds(maxReasonBytes + 5 * maxNameBytes + maxRequestIdBytes < MAX_LINE / 64, "names never fill a frame");
