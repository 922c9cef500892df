import type { Intent } from "../../transactions/plan.ts";
import type { CoordinationRefusal, Entry, Ticket } from "../coordination.ts";
import type { SharedResults } from "./results.ts";

/** The script's answer as an entry; null where it is none, so that nobody takes it for a yes. */
export const entryFrom = (answer: unknown, intent: Intent, ticket: Ticket, results: SharedResults): Entry | null => {
  if (!Array.isArray(answer)) return null;
  const [said, second, third, fourth] = answer as unknown[];
  if (said === "entered") return { kind: "entered", ticket };
  if (typeof second !== "string") return null;
  if (said === "limit") {
    const limit = intent.limits[Number(second)];
    if (limit === undefined) return null;
    const { policyId, reason, attributedTo } = limit;
    return refused({ kind: "limit_exceeded", policyId, reason, attributedTo });
  }
  const transaction_id = second;
  if (said === "key_reused") return refused({ kind: "key_reused", transaction_id });
  if (said === "unknown") return refused({ kind: "outcome_unknown", transaction_id });
  if (said === "held") {
    const left_ms = Number(third);
    if (!Number.isFinite(left_ms)) return null;
    return refused({ kind: "in_flight", transaction_id, lease_until_ms: intent.now_ms + left_ms });
  }
  if (said === "executed") {
    const result = typeof fourth === "string" ? results.open(transaction_id, fourth) : null;
    return refused({ kind: "replay", transaction_id, result });
  }
  return null;
};

const refused = (settled: CoordinationRefusal): Entry => ({ kind: "refused", settled });
