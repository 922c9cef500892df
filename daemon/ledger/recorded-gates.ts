import type { ReasonCode } from "../engine/reason-codes.ts";
import type { DecisionReceipt } from "./parse-receipt.ts";

export type GatesAnswer = "blocked" | "asked" | "passed";

/** What the gates said of a recorded call. */
export interface RecordedGates {
  readonly answer: GatesAnswer;
  /** Their own code; null where the receipt has another's, such as that of a limit. */
  readonly code: ReasonCode | null;
}

const codesOf: Readonly<Record<Exclude<GatesAnswer, "blocked">, readonly ReasonCode[]>> = Object.freeze({
  asked: ["escalated", "escalated_operator", "unknown_escalated"],
  passed: ["allowed", "unknown_allowed", "rewritten"],
});

/** A gate said no, and rules alone would not have: what one client could not be told, and what was suspended. */
const notByRules: readonly ReasonCode[] = ["rewrite_removes_key", "rule_suspended"];

const ofServers = ["quarantine", "chain", "reach", "response", "effect"];

/**
 * Reads from a receipt what the gates said, whatever was settled after them: a call that was answered with an earlier
 * result, was over a limit or had a grant had passed them, or had been asked about. Null where the receipt does not tell:
 * no gate judged the call, a scope document denied or asked, a server's tool was held, or nothing spoke and what was settled hides what `unknown` said.
 */
export const recordedGates = ({ trace, code }: DecisionReceipt): RecordedGates | null => {
  const gates = new Set<string>();
  for (const entry of trace) {
    const [name = "", answer = ""] = entry.split(";", 1)[0]?.split(":") ?? [];
    // A policy, a rule, a fact, or how it was settled: parts of what a gate says.
    if (!name.includes("/")) gates.add(`${name}:${answer}`);
  }
  if (!gates.has("identity:SKIP") && !gates.has("identity:ALLOW")) return null;
  // A scope document is of no rule set: what it said, no candidate says otherwise.
  if (gates.has("scope:DENY") || gates.has("scope:REQUIRE_APPROVAL")) return null;
  // Nor what was known of a server, its tools and its session.
  if (ofServers.some((name) => gates.has(`${name}:DENY`))) return null;
  if ([...gates].some((gate) => gate.endsWith(":DENY"))) {
    return notByRules.includes(code) ? null : { answer: "blocked", code };
  }
  if (code === "unknown_blocked") return { answer: "blocked", code };
  const isAsked = gates.has("approval:REQUIRE_APPROVAL") || code === "unknown_escalated";
  const answer = isAsked ? "asked" : "passed";
  const isOwn = codesOf[answer].includes(code);
  const somebodySpoke = isAsked || gates.has("rules:ALLOW") || gates.has("evidence:ALLOW");
  return isOwn || somebodySpoke ? { answer, code: isOwn ? code : null } : null;
};
