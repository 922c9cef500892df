import type { ClaimRow } from "../store/transaction-rows.ts";
import type { ClaimState } from "./status.ts";

/** What a claim says at this moment: an executed call past its window is none, and a holder past its lease is lost. */
export const priorCall = (claim: ClaimRow | null, now_ms: number): ClaimState | null => {
  if (claim === null) return null;
  if (claim.state === "executed") return claim.expires_ms > now_ms ? "executed" : null;
  return claim.state === "held" && claim.lease_until_ms <= now_ms ? "unknown" : claim.state;
};
