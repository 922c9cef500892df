/**
 * received -> blocked | pending_approval | authorized -> executed | failed | unknown. `received` is what is not written
 * yet: a crash before the decision leaves nothing, and nothing ran. `authorized` is durable before the client is told.
 */
export type TransactionStatus = "blocked" | "pending_approval" | "authorized" | "executed" | "failed" | "unknown";

/** What an operator or a clock has made of a request for a yes. */
export type ApprovalStatus = "pending" | "granted" | "denied" | "revoked" | "expired" | "used";

/** `held`: the call is under way. `executed`: it ran. `unknown`: nobody knows. */
export type ClaimState = "held" | "executed" | "unknown";
