import { verdictName } from "../../wire/verdict.ts";
import type { Settings } from "../config/settings.ts";
import type { EngineState } from "../engine/judge.ts";
import type { Judgement } from "../engine/judgement.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import type { DecisionReceipt } from "../ledger/parse-receipt.ts";
import { type RecordedCall, recordedCalls, type Since } from "../ledger/recorded-calls.ts";
import { recordedGates } from "../ledger/recorded-gates.ts";
import { safeName } from "../operator/display/safe-text.ts";
import { type CandidateRules, candidateRules } from "./candidate-rules.ts";
import { type Change, changeBetween, gatesOf, restsOnRedacted } from "./changed-outcome.ts";
import { judgementLine, judgeOffline, offlineState } from "./judge-offline.ts";
import { openRecorded, type RecordedPlace } from "./open-recorded.ts";
import type { SimulatedLine, SimulateRequest, SimulateSummary } from "./simulate.ts";
import { type LedgerCounts, noCounts, summaryOf } from "./simulate-counts.ts";

export interface SimulateLedgerRequest extends Pick<SimulateRequest, "rules" | "unknown" | "now_ms"> {
  readonly place: RecordedPlace & Pick<Settings, "capture_days" | "configuration">;
  readonly since: Since;
  /** Compare with what these rules say of the calls, in place of what was recorded. */
  readonly against: CandidateRules | null;
}

/**
 * `interlock simulate --ledger`: what would these rules have changed? Judges each captured call at the time of its receipt and
 * tells those whose outcome at the gates would change. What was not captured, or does not open, is counted and never guessed.
 * Exit code 1 where something would change, or is damaged; throws Refusal (2) where nothing is captured, StoreRefused and
 * StoreFailed.
 */
export const simulateLedger = async (
  request: SimulateLedgerRequest,
  tell: (line: SimulatedLine) => void,
): Promise<SimulateSummary> => {
  const stateOf = async (rules: CandidateRules): Promise<EngineState> =>
    offlineState(await candidateRules(rules, request.now_ms), request.unknown);
  const candidate = await stateOf(request.rules);
  const against = request.against === null ? null : await stateOf(request.against);
  const { reader, seals } = await openRecorded(request.place);
  const counts = noCounts();
  try {
    for await (const call of recordedCalls(reader, seals, request.since, request.now_ms)) {
      const line = await judgeRecorded(call, candidate, against, counts);
      if (line !== null) tell(line);
    }
  } finally {
    await reader.close();
  }
  if (counts.captured === 0) refuseUncaptured(request.place, counts);
  return summaryOf(counts);
};

const judgeRecorded = async (
  { seq, receipt, captured }: RecordedCall,
  candidate: EngineState,
  against: EngineState | null,
  counts: LedgerCounts,
): Promise<SimulatedLine | null> => {
  counts.calls += 1;
  if (captured === "none") counts.not_captured += 1;
  else counts.captured += 1;
  if (captured === "none") return null;
  if (captured === "damaged" || receipt === null) {
    counts.damaged += 1;
    return { text: `${seq} damaged: it cannot be judged`, json: { seq, error: "damaged" } };
  }
  if ("leftOut" in captured) {
    counts[captured.leftOut] += 1;
    return null;
  }
  const { event, redacted } = captured;
  const other = against === null ? null : await judgeOffline(event, against, receipt.time_ms);
  const before = other === null ? recordedGates(receipt) : gatesOf(other);
  if (before === null) {
    counts.not_told += 1;
    return null;
  }
  const judged = await judgeOffline(event, candidate, receipt.time_ms);
  const change = changeBetween(before, gatesOf(judged));
  if (redacted.length === 0) {
    counts.judged += 1;
    if (change !== null) counts[change] += 1;
  } else {
    counts.redacted += 1;
    if (restsOnRedacted(judged, redacted) || (other !== null && restsOnRedacted(other, redacted))) {
      counts.redacted_undecided += 1;
      return null;
    }
    if (change !== null) counts.redacted_changed += 1;
  }
  if (change === null) return null;
  const was = other === null ? recordedText(receipt, before.code === null) : verdictName(other.verdict);
  return changedLine(seq, was, receipt, judged, change, redacted);
};

/** What the caller was told; where that was not the gates' doing, what they had said. */
const recordedText = ({ verdict, code }: DecisionReceipt, isSettled: boolean): string =>
  isSettled ? `${verdict} (${code}, past the gates)` : `${verdict} (${code})`;

const changedLine = (
  seq: number,
  was: string,
  { action, verdict, code }: DecisionReceipt,
  judged: Judgement,
  change: Change,
  redacted: readonly string[],
): SimulatedLine => {
  const name = safeName(action);
  const without = redacted.length === 0 ? "" : `; judged without ${redacted.map(safeName).join(", ")}`;
  const { reason, policy_id, attributed_to } = judged;
  return {
    text: `${seq} ${name}: ${was} becomes ${judgementLine(name, judged)}${without}`,
    // No argument, rewritten or not: what was captured is sealed.
    json: {
      seq,
      action,
      change,
      recorded: { verdict, code },
      after: { verdict: verdictName(judged.verdict), code: judged.code, reason, policy_id, attributed_to },
      redacted,
    },
  };
};

const refuseUncaptured = (
  { capture_days, configuration }: SimulateLedgerRequest["place"],
  { calls }: LedgerCounts,
): void => {
  if (capture_days > 0 && calls === 0) return;
  const how =
    capture_days === 0
      ? `capture is off: put capture_days: 7 into ${configuration} and restart the daemon`
      : `capture_days is ${capture_days} in ${configuration}: calls are captured from the daemon's next start on`;
  throw new Refusal(ExitCode.refused, `none of ${calls} recorded calls is captured; ${how}`);
};
