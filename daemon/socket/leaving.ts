import { Verdict } from "../../wire/verdict.ts";
import type { Denial, Judgement } from "../engine/judgement.ts";
import { type SettledJudgement, settledJudgement } from "../engine/settled-judgement.ts";
import { heldSince } from "../gates/quarantine.ts";
import { blockJudgement, decisionRecord } from "../ledger/decision-record.ts";
import type { Capture, DecisionRecord, Entry, Ledger } from "../ledger/record.ts";
import type { Stopped } from "../stops/stop-switch.ts";
import { callSurface, type Surfaces } from "../surfaces/surfaces.ts";
import type { Plan, Settled } from "../transactions/plan.ts";
import { answerFor } from "./answer.ts";
import type { AskedQuestion } from "./asked-question.ts";
import { closePlan } from "./close-plan.ts";
import { decidedBefore } from "./decided-before.ts";
import type { EventCapture } from "./event-capture.ts";
import { finalCanonical } from "./final-value.ts";
import type { OpenCalls } from "./open-calls.ts";

/** What it needs of the bench. */
interface LeavingBench {
  readonly openCalls: OpenCalls;
  /** Null where nothing is captured. */
  readonly capture: EventCapture | null;
  readonly ledger: Pick<Ledger, "decidedCall">;
  readonly stops: Stopped;
  readonly surfaces: Surfaces;
}

/**
 * A judged question on its way out. Its plan is settled first; what it is answered, and what its receipt says, follow from
 * that, and both are made before either is durable.
 */
export class Leaving implements Entry {
  readonly plan: Plan | null;
  readonly #question: AskedQuestion;
  readonly #judged: Judgement;
  readonly #bench: LeavingBench;
  readonly #waits: boolean;
  #captured: Capture | null = null;
  #settled: Settled | null = null;
  /** Is the call let run, or the result delivered, as far as this daemon has a say? */
  #runs = false;
  /** The answer; empty while nothing is decided. */
  frame = "";
  /** Whose end it waits for where nothing is decided, and how long it may. */
  waitsFor = "";
  left_ms = 0;

  /** @param mayWait whether it may wait for another call at all: not once the daemon stops. */
  constructor(question: AskedQuestion, judged: Judgement, bench: LeavingBench, mayWait = true) {
    this.#waits = mayWait;
    this.#question = question;
    this.#bench = bench;
    this.#judged = sendable(question, judged);
    this.plan = planOf(question, this.#judged, bench.openCalls);
  }

  /** Called again where the store runs its transaction again. */
  record(settled: Settled | null): DecisionRecord | null {
    this.#settled = settled;
    if (settled?.kind === "in_flight" && this.#mayWait(settled)) return null;
    const question = this.#question;
    const { session, asking } = question;
    const { features } = session;
    const said: SettledJudgement =
      settled === null ? this.#unplanned() : settledJudgement(this.#judged, settled, features);
    const { judged, frame } = answerFor(asking.id, resumed(question, this.#withheld(said)), features, said);
    this.frame = frame;
    // A client's own yes is not told here.
    this.#runs = judged.verdict !== Verdict.BLOCK && said.approval_id === null;
    // Once, however often the store runs its transaction.
    if (this.#bench.capture !== null) this.#captured ??= this.#bench.capture.of(question);
    const isRewrite = judged.modified_args !== null || judged.modified_result !== null;
    return decisionRecord(
      {
        time_ms: question.time_ms,
        event: asking.received.event,
        argsCanonical: asking.argsCanonical,
        session: session.key,
        request: asking.id,
        loaded: question.state.index.loaded,
        acting: asking.acting,
        client: session.client,
        grade: asking.received.grade,
      },
      judged,
      {
        // An approval's id is in no receipt: an answer that has one is kept whole.
        keep:
          session.key !== null && (isRewrite || said.approval_id !== null || judged.errors.length > 0) ? frame : null,
        transaction_id: said.transaction_id,
        capture: this.#captured,
        finalCanonical: isRewrite ? finalCanonical(asking.received.event, judged, features) : null,
        committed: null,
        decided: decidedBefore(question, this.plan, settled, this.#bench),
        offline: null,
      },
    );
  }

  /** It is durable: what is open by now, and the transaction that has ended, if one has. */
  stands(openCalls: OpenCalls, seq: number): string | null {
    if (this.#runs) this.#question.behaviour?.stands();
    const { plan } = this;
    if (plan === null || this.#settled === null) return null;
    if (this.#settled.kind === "authorized" && (plan.kind === "authorize" || plan.kind === "ask")) {
      const { call_id } = plan.intent;
      const { received } = this.#question.asking;
      if (call_id !== null) openCalls.opened(call_id, received.event, this.#question.askers[0], seq);
      return null;
    }
    if (this.#settled.kind !== "closed" || (plan.kind !== "close" && plan.kind !== "fail")) return null;
    openCalls.closed(plan.call_id);
    return this.#settled.transaction_id;
  }

  /** What needs nothing settled is asked here whether everything has been stopped since it was judged. What is only told is told. */
  #unplanned(): SettledJudgement {
    const { traceJson, surface, verdict } = this.#judged;
    if (this.#question.asking.fixed !== null || verdict === Verdict.BLOCK) return untouched(this.#judged);
    const block = this.#bench.stops.block ?? this.#heldSince();
    if (block === null) return untouched(this.#judged);
    return untouched({ ...blockJudgement(block.code, block.reason), traceJson, surface });
  }

  /** A result whose tool was quarantined since it was judged is not delivered, whatever it closes. */
  #withheld(said: SettledJudgement): SettledJudgement {
    const { asking } = this.#question;
    if (asking.received.event.phase === "call" || asking.fixed !== null || said.judged.verdict === Verdict.BLOCK) {
      return said;
    }
    const held = this.#heldSince();
    if (held === null) return said;
    const { traceJson, surface } = said.judged;
    return { ...said, judged: { ...blockJudgement(held.code, held.reason), traceJson, surface } };
  }

  #heldSince(): Denial | null {
    const { asking, session } = this.#question;
    const call = callSurface(this.#bench.surfaces, session, asking.received.server);
    return call === null ? null : heldSince(call, asking.received.event);
  }

  #mayWait({ transaction_id }: Extract<Settled, { kind: "in_flight" }>): boolean {
    const { asked_ms, time_ms, session } = this.#question;
    const wait_ms = this.#judged.transaction?.wait_ms ?? 0;
    this.left_ms = asked_ms + wait_ms - time_ms;
    this.waitsFor = transaction_id;
    return this.#waits && session.features.replay && this.left_ms > 0;
  }
}

/**
 * A call that could not be told to its client is not settled: what nobody can run must not be taken. Whoever resumes is told the whole of the
 * arguments; merged over the client's own they would be another call than was approved.
 */
const sendable = ({ asking, session }: AskedQuestion, judged: Judgement): Judgement => {
  const isResume = asking.resume !== null;
  if (judged.transaction === null || (judged.modified_args === null && !isResume)) return judged;
  if (isResume && judged.transaction.plan.kind === "refuse") return judged;
  if (isResume && !session.features.replace_args) return notApplicable;
  const told = judged.modified_args === null ? { ...judged, modified_args: asking.received.event.args } : judged;
  const { judged: sent } = answerFor(asking.id, told, session.features);
  return sent === told ? judged : { ...sent, transaction: null };
};

const notApplicable = blockJudgement(
  "resume_not_applicable",
  "a resume is answered with the approved arguments, and this client has not agreed to replace_args",
);

const planOf = ({ asking, askers, time_ms, state }: AskedQuestion, judged: Judgement, open: OpenCalls): Plan | null => {
  if (asking.fixed !== null) return asking.fixed.plan;
  const { event } = asking.received;
  if (event.phase === "call") {
    const plan = judged.transaction?.plan ?? null;
    if (plan === null || !("intent" in plan)) return plan;
    const isFollowed = plan.kind === "ask" || state.index.contracts.has(event.action);
    return { ...plan, intent: { ...plan.intent, call_id: isFollowed ? open.idOf(event) : event.call_id } };
  }
  const call_id = open.idOfResult(event, askers[0]);
  const mayClose = call_id !== null && (open.has(call_id) || state.index.contracts.has(event.action));
  return mayClose ? closePlan(call_id, event, judged, time_ms) : null;
};

const untouched = (judged: Judgement): SettledJudgement => ({
  judged,
  approval_id: null,
  transaction_id: null,
  replayed: false,
});

/** Whoever resumes runs what was approved, and is told all of it: the arguments that it kept may be others. */
const resumed = ({ asking }: AskedQuestion, { judged, transaction_id }: SettledJudgement): Judgement => {
  const runs = judged.verdict === Verdict.ALLOW || judged.verdict === Verdict.MODIFY;
  if (asking.resume === null || transaction_id === null || !runs) return judged;
  const modified_args = judged.modified_args ?? asking.received.event.args;
  return { ...judged, verdict: Verdict.MODIFY, modified_args };
};
