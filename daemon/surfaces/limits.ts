/** Items that one server may offer, all kinds together. */
export const maxSurfaceItems = 10_000;
/** Members and items of one definition: some hundred times what the largest of published servers have. */
export const maxDefinitionNodes = 20_000;
/** JCS text of one definition, in UTF-16 units. */
export const maxDefinitionLength = 1024 * 1024;
/**
 * All definitions of a listing together: it is read in one piece while others wait, most of a second for each MiB, and nobody's call
 * may wait for as long as a client waits (5 s).
 */
export const maxSurfaceLength = 2 * 1024 * 1024;
/** Name of a tool or prompt; a URI may be longer. In UTF-8 bytes. */
export const maxItemNameBytes = 1024;
export const maxItemUriBytes = 4096;
/** Servers that one deployment keeps, each credential for itself. */
export const maxServers = 4096;
/** Items of all of them together, approved and listed: what is known of servers is held in memory, and read at every start. */
export const maxKnownItems = 500_000;
/** Names of other servers' tools that a listing is compared with. */
export const maxOtherTools = 5_000;
/** Findings that are kept of one item; the worst stay. */
export const maxKeptFindings = 32;
/** Items of all sessions together: those who reported longest ago report again. */
export const maxSeenItems = 1_000_000;
/** Servers of one session. */
export const maxServersOfSession = 256;
/** A server that says that its lists hold for less is asked again after this long all the same. */
export const shortestTtl_ms = 1_000;
