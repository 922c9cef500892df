import { Verdict } from "../../wire/verdict.ts";
import type { ReasonCode } from "./reason-codes.ts";

/** The setting `unknown`: what happens to a call about which everything was silent. */
export type UnknownSetting = "allow" | "escalate" | "block";

/** Chosen in words by the operator; the trace keeps saying SKIP for every gate, because nobody looked. */
export const unknownVerdict: Readonly<
  Record<UnknownSetting, { readonly verdict: Verdict; readonly code: ReasonCode; readonly reason: string }>
> = Object.freeze({
  allow: { verdict: Verdict.ALLOW, code: "unknown_allowed", reason: "" },
  escalate: { verdict: Verdict.ESCALATE, code: "unknown_escalated", reason: "no rule covers this call" },
  block: { verdict: Verdict.BLOCK, code: "unknown_blocked", reason: "no rule covers this call" },
});
