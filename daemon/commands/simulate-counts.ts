import { ExitCode } from "../exit-codes.ts";
import type { LeftOut } from "../ledger/captured-event.ts";
import type { Change } from "./changed-outcome.ts";
import type { SimulateSummary } from "./simulate.ts";

/** Each call is in one of `judged`, `redacted`, `not_captured`, `too_large`, `no_room`, `damaged`, `not_told`. */
export interface LedgerCounts extends Record<Change | LeftOut, number> {
  calls: number;
  /** With a box, whatever is in it. */
  captured: number;
  judged: number;
  /** Judged without a value. */
  redacted: number;
  redacted_changed: number;
  /** Of the redacted: what the candidate says rests on the value. */
  redacted_undecided: number;
  not_captured: number;
  damaged: number;
  /** The receipt does not tell what the gates said. */
  not_told: number;
}

export const noCounts = (): LedgerCounts => ({
  calls: 0,
  captured: 0,
  judged: 0,
  newly_blocked: 0,
  newly_asked: 0,
  newly_allowed: 0,
  otherwise: 0,
  redacted: 0,
  redacted_changed: 0,
  redacted_undecided: 0,
  not_captured: 0,
  too_large: 0,
  no_room: 0,
  damaged: 0,
  not_told: 0,
});

const unverified = Object.freeze({
  not_captured: "not captured",
  too_large: "too large",
  no_room: "past the day's room",
  damaged: "damaged",
  not_told: "without an answer of the gates",
} satisfies Partial<Record<keyof LedgerCounts, string>>);

const changes = Object.freeze({
  newly_blocked: "newly blocked",
  newly_asked: "newly asked",
  newly_allowed: "newly allowed",
  otherwise: "otherwise",
} satisfies Record<Change, string>);

/** What is not none, in words. */
const listed = <Name extends keyof LedgerCounts>(counts: LedgerCounts, names: Readonly<Record<Name, string>>): string =>
  (Object.keys(names) as Name[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${counts[name]} ${names[name]}`)
    .join(", ");

/** Exit code 1 where something would change or is damaged. A call that was judged without a value decides nothing. */
export const summaryOf = (counts: LedgerCounts): SimulateSummary => {
  const changed = counts.newly_blocked + counts.newly_asked + counts.newly_allowed + counts.otherwise;
  const which = changed === 0 ? "" : `: ${listed(counts, changes)}`;
  const { redacted, redacted_changed, redacted_undecided } = counts;
  const parts = [`${changed} of ${counts.judged} call${counts.judged === 1 ? "" : "s"} would change${which}`];
  if (redacted > 0) {
    parts.push(
      `judged without a redacted value: ${redacted} (${redacted_changed} would change, ${redacted_undecided} rest on it)`,
    );
  }
  const missing = listed(counts, unverified);
  if (missing !== "") parts.push(`unverified: ${missing}`);
  const ok = changed === 0 && counts.damaged === 0;
  return { exitCode: ok ? ExitCode.done : ExitCode.no, text: parts.join("; "), json: { ok, changed, ...counts } };
};
