import { MAX_LINE, maxInFlightRequests } from "../wire/limits.ts";

/** Limits of the client's own; the wire's are in wire/limits.ts. */

/** Questions that wait for a place on the connection. One more is refused at once. */
export const maxWaitingQuestions = 4096;
/** Bytes (UTF-16 code units of the frames) that may wait for a place on the connection. */
export const maxWaitingChars = 64 * 1024 * 1024;
/** Bytes given to a connection that have not left the process. Beyond it questions wait their turn. */
export const maxUnsentBytes = 2 * MAX_LINE;
/** The buffer that a connection reads into. */
export const readBufferBytes = 64 * 1024;
/** Unanswered ids remembered after their timeout. One more, and the connection is given up as hung. */
export const maxOverdueAnswers = maxInFlightRequests / 2;
/** First and longest pause between two attempts to connect. */
export const firstPause_ms = 10;
export const longestPause_ms = 100;
/** The default of `timeout`. */
export const defaultTimeout_s = 5;
/** The default of `grace_ms`: how long a socket may be gone before the daemon counts as absent. */
export const defaultGrace_ms = 1000;
/** The default of `escalateDeadline_ms`, and its highest: Node's longest timer. */
export const defaultEscalateDeadline_ms = 10 * 60 * 1000;
export const longestWait_ms = 2 ** 31 - 1;
/** First and longest pause between two questions whether a call is approved by now. */
export const firstPoll_ms = 250;
export const longestPoll_ms = 2000;
/** How long after `escalateDeadline_ms` the answer to the last of them may come, where `timeout` does not end it before. */
export const lastAnswer_ms = defaultTimeout_s * 1000;
/** The default of `maxStreamBytes`: objects are shown with the texts that they make, bytes in base64, and a frame holds either. */
export const defaultStreamBytes = MAX_LINE / 2;
/** How often the chunks of one stream are judged, where what rules changed had to be put together. */
export const maxStreamPasses = 3;
/** The default of `probe`. */
export const defaultProbeTimeout_s = 0.25;

if (maxOverdueAnswers >= maxInFlightRequests) throw new Error("client limits: overdue answers must leave places free");
if (firstPause_ms > longestPause_ms) throw new Error("client limits: pauses must grow");
if (firstPoll_ms > longestPoll_ms) throw new Error("client limits: pauses between polls must grow");
if (defaultEscalateDeadline_ms > longestWait_ms) throw new Error("client limits: the default wait fits a timer");
/** A file of public keys. */
export const maxKeyFileBytes = 64 * 1024;
