/** The daemon's own limits at the socket; the protocol's are in wire/limits.ts. */

/** More at once are turned away at accept. */
export const maxConnections = 4096;
/** Connections that may wait to be accepted. */
export const listenBacklog = 1024;
/** Unfinished frames of all connections together. Beyond it, whoever holds most is refused. */
export const maxUnfinishedBytes = 128 * 1024 * 1024;
/** Answers a peer has not read, above which its further requests wait. */
export const unreadHighWaterBytes = 1024 * 1024;
/** Unread answers of all connections together. Beyond it, whoever leaves most is cut off. */
export const maxUnreadBytes = 128 * 1024 * 1024;
/** How long a peer may leave its answers unread, or a frame unfinished, before it is cut off. */
export const stuckPeer_ms = 30_000;
/** How often that is looked at. */
export const sweepInterval_ms = 1_000;
