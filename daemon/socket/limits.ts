/** The daemon's own limits at the socket; the protocol's are in wire/limits.ts. */

/** More at once are turned away at accept. */
export const maxConnections = 4096;
/** Connections that may wait to be accepted. */
export const listenBacklog = 1024;
/** Unfinished frames of all connections together. Beyond it, whoever holds most is refused. */
export const maxUnfinishedBytes = 128 * 1024 * 1024;
/** Requests of one connection that are being judged, above which its further ones wait: many small ones, or one large one. */
export const maxUndecidedBytes = 256 * 1024;
/** Decisions that share one turn and one store transaction: some 20 ms, for which everybody else waits. */
export const maxDecisionsInGroup = 1024;
/** Answers a peer has not read, above which its further requests wait. */
export const unreadHighWaterBytes = 256 * 1024;
/** Unread answers of all connections together. Beyond it, whoever leaves most is cut off. */
export const maxUnreadBytes = 64 * 1024 * 1024;
/** How long a peer may leave its answers unread, or a frame unfinished, before it is cut off. */
export const stuckPeer_ms = 30_000;
/** How long a refused peer may take to finish the frame that it was writing, and read why. */
export const refusedLinger_ms = 2_000;
/** How often that is looked at. */
export const sweepInterval_ms = 1_000;
