import { admit } from "../../wire/admission.ts";
import { WireError } from "../../wire/errors.ts";
import type { SensorEvent } from "../../wire/event.ts";
import { featureSet } from "../../wire/features.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import { parseEvent } from "../../wire/request-event.ts";
import { verdictName } from "../../wire/verdict.ts";
import { type EngineState, judge } from "../engine/judge.ts";
import type { Judgement } from "../engine/judgement.ts";
import type { RuleIndex } from "../engine/rule-index.ts";
import { transactionKeys } from "../engine/transaction-state.ts";
import type { UnknownSetting } from "../engine/unknown.ts";
import { Resumptions } from "../supervisor/resumptions.ts";
import { newTransactionId } from "../transactions/ids.ts";
import { keyedHash } from "../transactions/keyed-hash.ts";

/** One event of a file, or why its line is none. */
export type EventLine =
  | { readonly line: number; readonly event: SensorEvent }
  | { readonly line: number; readonly error: string };

const features = featureSet(["call_id", "escape"]);

/** Reads one event: the wire's `event` body as one line of JSON. */
export const readEvent = (text: string, line: number): EventLine => {
  try {
    const { event } = parseEvent(admit(Buffer.from(text)), "", features);
    return { line, event: { ...event, args: deepFreeze(event.args) } };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { line, error: error.message };
  }
};

/** Nothing has run before, and what a plan would take is taken from nobody: only what the gates say is told. */
const offlineTransactions: EngineState["transactions"] = {
  keys: transactionKeys((purpose) => keyedHash(new Uint8Array(32), purpose)),
  newTransactionId,
  look: () => null,
};

/** Judges in this process: no daemon, no receipt, no watchdog (a rule that hangs hangs the command). */
export const offlineState = (index: RuleIndex, unknown: UnknownSetting): EngineState => ({
  index,
  unknown,
  scopes: null,
  suspended: new Set(),
  watch: { enter: () => undefined, leave: () => undefined, coarseNow_ms: () => Math.trunc(performance.now()) },
  resumptions: new Resumptions(),
  transactions: offlineTransactions,
  timer: {
    after: (delay_ms, expired) => {
      const timer = setTimeout(expired, delay_ms);
      return () => clearTimeout(timer);
    },
  },
});

export const judgeOffline = async (event: SensorEvent, state: EngineState, now_ms: number): Promise<Judgement> =>
  judge(
    {
      event,
      now_ms,
      source: "claimed",
      identity: null,
      canReplaceArgs: true,
      resume: null,
      surface: null,
      behaviour: null,
      stamp: () => undefined,
    },
    state,
  );

/** What a judgement says, in one line for a person. */
export const judgementLine = (action: string, judged: Judgement): string => {
  const by = judged.policy_id === null ? "" : ` (${judged.policy_id})`;
  const about = judged.attributed_to === null ? "" : `, about ${judged.attributed_to}`;
  const why = judged.reason === "" ? judged.code : judged.reason;
  return `${verdictName(judged.verdict)} ${action}: ${why}${by}${about}`;
};

/** The same for a program. */
export const judgementJson = (action: string, judged: Judgement) => ({
  action,
  verdict: verdictName(judged.verdict),
  code: judged.code,
  reason: judged.reason,
  policy_id: judged.policy_id,
  attributed_to: judged.attributed_to,
  modified_args: judged.modified_args,
  modified_result: judged.modified_result,
  trace: JSON.parse(judged.traceJson) as string[],
});
