import type { ReceivedEvent } from "../../wire/event.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import type { OutcomeBody, ResumeBody } from "../../wire/request-bodies.ts";
import { coordinated } from "../coordination/coordinated.ts";
import type { Coordination } from "../coordination/coordination.ts";
import { callDigest } from "../engine/digest.ts";
import { type EngineState, judge } from "../engine/judge.ts";
import type { Judgement } from "../engine/judgement.ts";
import { nobodyNamed } from "../identity/acting.ts";
import type { Identities } from "../identity/identities.ts";
import { blockJudgement } from "../ledger/decision-record.ts";
import type { CommitResult, FoundDecision, Ledger } from "../ledger/record.ts";
import type { Stopped } from "../stops/stop-switch.ts";
import { type Maybe, whenDone } from "../store/steps.ts";
import type { EngineSlot } from "../supervisor/slot.ts";
import type { CallBehaviour } from "../surfaces/runtime/call-behaviour.ts";
import { callSurface, type Surfaces } from "../surfaces/surfaces.ts";
import type { ApprovedCalls } from "../transactions/shown-call.ts";
import { answerFor, answerFromKept } from "./answer.ts";
import { AskedQuestion, type Asking } from "./asked-question.ts";
import type { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import type { EventCapture } from "./event-capture.ts";
import { identifiedAsking } from "./identified.ts";
import { Leaving } from "./leaving.ts";
import type { OpenCalls } from "./open-calls.ts";
import { orFailed } from "./or-failed.ts";
import { outcomeAsking } from "./outcome-asking.ts";
import { resumeAsking } from "./resume-asking.ts";
import type { Session } from "./session.ts";
import { WaitingDuplicates } from "./waiting-duplicates.ts";

/** What every question of this engine is judged with; the state is replaced whole by a reload. */
export interface Bench {
  state: EngineState;
  /** Set when the engine ended too often: everything is blocked until the rules are reloaded. */
  disabled: boolean;
  /** Digests of calls that made a rule overrun (engine/digest.ts). */
  readonly overran: Set<string>;
  readonly identities: Identities;
  readonly stops: Stopped;
  readonly ledger: Ledger;
  readonly coordination: Coordination;
  readonly approved: ApprovedCalls;
  readonly openCalls: OpenCalls;
  readonly capture: EventCapture | null;
  readonly slot: EngineSlot;
  readonly now_ms: () => number;
  readonly surfaces: Surfaces;
}

/**
 * One event from line to answer: found again if it was decided before, else judged, settled, recorded, and answered once
 * that is durable. Nothing on this path can end without an answer or a closed connection.
 */
export class QuestionDesk {
  readonly #bench: Bench;
  readonly #group: CommitGroup;
  readonly waiting = new WaitingDuplicates();

  constructor(bench: Bench, group: CommitGroup) {
    this.#bench = bench;
    this.#group = group;
  }

  ask(connection: Connection, line: Uint8Array, id: string, received: ReceivedEvent): void {
    const acting = this.#bench.identities.acting(received.event, connection.token);
    connection.began();
    this.#take(connection, identifiedAsking(line, id, received, acting));
  }

  /** An approved call is put as it was approved; only its ids come from the client. */
  resume(connection: Connection, line: Uint8Array, id: string, body: ResumeBody): void {
    connection.began();
    const failed = (): void => this.#turnAway(connection, id, notRecorded);
    orFailed(
      () => resumeAsking(line, id, body, this.#bench, connection.token),
      (asking) => this.#take(connection, asking),
      failed,
    );
  }

  /** What became of a call that has no result. */
  outcome(connection: Connection, line: Uint8Array, id: string, body: OutcomeBody): void {
    connection.began();
    const acting = this.#bench.identities.acting(nobodyNamed, connection.token);
    this.#take(connection, outcomeAsking(line, id, body, acting, this.#bench.now_ms()));
  }

  /** A question that is being judged, or was decided within the lease, is not decided twice. */
  #take(connection: Connection, asking: Asking): void {
    const { session } = connection;
    const { id, line } = asking;
    const now_ms = this.#bench.now_ms();
    // Who may not ask is told so, and nothing of what was answered before: it may have been answered to somebody else.
    if (asking.acting.refused !== null) {
      this.#judgeNow(new AskedQuestion(connection, asking, now_ms));
      return;
    }
    const mayAskAgain = session.asksAgainUntil_ms > now_ms;
    const pending = mayAskAgain ? session.pending.get(id) : undefined;
    if (pending !== undefined) {
      if (Buffer.compare(pending.line, line) !== 0) this.#turnAway(connection, id, mismatch);
      // Whoever asked is answered, each time that it asked: the connection that asked first may be alive after all.
      else pending.askers.push(connection);
      return;
    }
    const question = new AskedQuestion(connection, asking, now_ms);
    session.pending.set(id, question);
    // A stop has begun, or another scope document is served: what was allowed before it is not allowed again by asking again.
    const { disabled, state, stops } = this.#bench;
    if (!mayAskAgain || disabled || stops.block !== null || isMismatched(session, state)) {
      this.#judgeNow(question);
      return;
    }
    orFailed(
      () => this.#findDecision(question),
      (found) => (found === null ? this.#judgeNow(question) : this.#answerAgain(question, found)),
      () => this.#answer(question, answerFor(id, notRecorded, session.features).frame),
    );
  }

  #findDecision({ asking, session }: AskedQuestion): Maybe<FoundDecision | null> {
    const { event } = asking.received;
    return this.#bench.ledger.findDecision({
      now_ms: this.#bench.now_ms(),
      stopped_ms: Math.max(this.#bench.stops.begun_ms, this.#bench.surfaces.keeper.held_ms),
      session: session.key as string,
      request: asking.id,
      action: event.action,
      phase: event.phase,
      principal: event.principal,
      parent_principal: event.parent_principal,
      span_id: event.span_id,
      call_id: event.call_id,
      argsCanonical: asking.argsCanonical,
    });
  }

  #answerAgain(question: AskedQuestion, found: FoundDecision): void {
    const { features } = question.session;
    const { id } = question.asking;
    // It was looked for, and a stop has begun meanwhile.
    if (this.#bench.stops.block !== null) this.#judgeNow(question);
    else if (found.same) this.#answer(question, answerFromKept(id, found.kept, features));
    else this.#answer(question, answerFor(id, "error" in found ? notRecorded : mismatch, features).frame);
  }

  #turnAway(connection: Connection, id: string, judged: Judgement): void {
    this.#group.say(connection, answerFor(id, judged, connection.session.features).frame);
    connection.ended();
  }

  #judgeNow(question: AskedQuestion): void {
    question.time_ms = this.#bench.now_ms();
    question.state = this.#bench.state;
    // A clock that goes back makes nobody wait for as long again.
    question.asked_ms = Math.min(question.asked_ms, question.time_ms);
    const judged = question.asking.fixed?.judged ?? this.#judge(question);
    if (judged instanceof Promise) {
      judged
        .then(
          (judgement) => this.#decided(question, judgement),
          () => this.#decided(question, engineFailed),
        )
        // A fault of the program ends the engine, as it does where a rule answers at once: whoever asked asks again.
        .catch((error: unknown) =>
          setImmediate(() => {
            throw error;
          }),
        );
    } else {
      this.#decided(question, judged);
    }
  }

  #judge(question: AskedQuestion): Judgement | Promise<Judgement> {
    const { disabled, overran, slot, state, stops } = this.#bench;
    if (stops.block !== null) return blockJudgement(stops.block.code, stops.block.reason);
    const { received, argsCanonical, judgedLine, resume } = question.asking;
    const { event } = received;
    // Compared with what judges this very call, however long ago it was asked.
    if (isMismatched(question.session, state)) return scopeMismatch;
    if (disabled) return blockJudgement("engine_disabled", "the engine ended too often; reload the rules or restart");
    if (overran.size > 0 && overran.has(callDigest(event, argsCanonical))) {
      return blockJudgement("request_overran", "this call made a rule overrun before and is not judged again");
    }
    const { session } = question;
    const { surfaces } = this.#bench;
    deepFreeze(event.args);
    const put = (behaviour: CallBehaviour | null): Judgement | Promise<Judgement> => {
      question.behaviour = behaviour;
      slot.stampRequest(judgedLine, session.stamp);
      return judge(
        {
          event,
          source: question.asking.acting.source,
          identity: question.asking.acting.identity,
          now_ms: question.time_ms,
          canReplaceArgs: session.features.replace_args,
          resume,
          surface: callSurface(surfaces, session, received.server),
          behaviour,
          stamp: () => slot.stampRequest(judgedLine, session.stamp),
        },
        state,
      );
    };
    try {
      const behaviour = surfaces.behaviours.of(session, received.server, event);
      return behaviour instanceof Promise ? behaviour.then(put) : put(behaviour);
    } catch {
      return engineFailed;
    }
  }

  #decided(question: AskedQuestion, judged: Judgement): void {
    const leaving = new Leaving(question, judged, this.#bench, this.waiting.isOpen);
    whenDone(coordinated(leaving, this.#bench.coordination), ({ entry, done }) =>
      this.#group.decide(entry, (result) => {
        done(result);
        this.#settled(question, leaving, result);
      }),
    );
  }

  #settled(question: AskedQuestion, leaving: Leaving, result: CommitResult): void {
    if (result.outcome === "undecided") {
      const { waitsFor, left_ms } = leaving;
      this.waiting.wait(waitsFor, left_ms, question, (again) => this.#judgeNow(again));
      return;
    }
    const frame = result.outcome === "durable" ? leaving.frame : null;
    if (result.outcome === "durable") {
      const ended = leaving.stands(this.#bench.openCalls, result.seq);
      this.#answerWith(question, frame as string);
      if (ended !== null) this.waiting.ended(ended);
      return;
    }
    this.#answerWith(question, answerFor(question.asking.id, notRecorded, question.session.features).frame);
  }

  /** Said with the group that is leaving. */
  #answerWith(question: AskedQuestion, frame: string): void {
    this.#forget(question);
    for (const connection of question.askers) {
      this.#group.speak(connection, frame);
      connection.ended();
    }
  }

  /** Said after what was decided before it. */
  #answer(question: AskedQuestion, frame: string): void {
    this.#forget(question);
    for (const connection of question.askers) {
      this.#group.say(connection, frame);
      connection.ended();
    }
  }

  #forget(question: AskedQuestion): void {
    const { pending } = question.session;
    const { id } = question.asking;
    if (pending.get(id) === question) pending.delete(id);
  }
}

/** Does the client hold the daemon to another scope document than the one in force? */
const isMismatched = ({ scope }: Session, { scopes }: EngineState): boolean => scope !== null && scope !== scopes?.pin;

const scopeMismatch = blockJudgement(
  "scope_mismatch",
  "the client has pinned a scope document that is not served here",
);
const engineFailed = blockJudgement("engine_failed", "the engine failed while it judged this call");
const notRecorded = blockJudgement("ledger_unavailable", "the receipt could not be made durable");
const mismatch = blockJudgement("resend_mismatch", "this request id was used for another question");
