import { canonicalJson } from "../../wire/canonical.ts";
import type { ReceivedEvent } from "../../wire/event.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import { callDigest } from "../engine/digest.ts";
import { type EngineState, judge } from "../engine/judge.ts";
import type { Judgement } from "../engine/judgement.ts";
import { blockJudgement, decisionRecord } from "../ledger/decision-record.ts";
import type { Ledger } from "../ledger/record.ts";
import type { EngineSlot } from "../supervisor/slot.ts";
import { answerFor, answerFromKept } from "./answer.ts";
import type { CommitGroup } from "./commit-group.ts";
import type { Connection } from "./connection.ts";
import type { PendingQuestion, Session } from "./session.ts";

/** What every question of this engine is judged with; the state is replaced whole by a reload. */
export interface Bench {
  state: EngineState;
  /** Set when the engine ended too often: everything is blocked until the rules are reloaded. */
  disabled: boolean;
  /** Digests of calls that made a rule overrun (engine/digest.ts). */
  readonly overran: Set<string>;
  readonly ledger: Ledger;
  readonly slot: EngineSlot;
  readonly now_ms: () => number;
}

/**
 * One event from line to answer: found again if it was decided before, else judged, recorded, and answered once the
 * record is durable. Nothing on this path can end without an answer or a closed connection.
 */
export class QuestionDesk {
  readonly #bench: Bench;
  readonly #group: CommitGroup;

  constructor(bench: Bench, group: CommitGroup) {
    this.#bench = bench;
    this.#group = group;
  }

  ask(connection: Connection, line: Uint8Array, id: string, received: ReceivedEvent): void {
    const { session } = connection;
    const argsCanonical = canonicalJson(received.argsJson);
    const now_ms = this.#bench.now_ms();
    const mayAskAgain = session.asksAgainUntil_ms > now_ms;
    if (mayAskAgain && this.#answerAgain(connection, session, line, id, received, argsCanonical)) return;
    const question = new AskedQuestion(connection, session, line, id, received, argsCanonical, now_ms);
    session.pending.set(id, question);
    connection.began();
    const judged = this.#judge(question);
    if (judged instanceof Promise) {
      judged.then(
        (judgement) => this.#decided(question, judgement),
        () => this.#decided(question, engineFailed),
      );
    } else {
      this.#decided(question, judged);
    }
  }

  /** A question that is being judged, or was decided within the lease, is not decided twice. */
  #answerAgain(
    connection: Connection,
    session: Session,
    line: Uint8Array,
    id: string,
    { event }: ReceivedEvent,
    argsCanonical: string,
  ): boolean {
    const pending = session.pending.get(id);
    if (pending !== undefined) {
      if (Buffer.compare(pending.line, line) !== 0) this.#mismatch(connection, id);
      else this.#awaitToo(pending, connection);
      return true;
    }
    // A stop has begun: what was allowed before it is not allowed again by asking again.
    if (this.#bench.disabled) return false;
    const found = this.#bench.ledger.findDecision({
      now_ms: this.#bench.now_ms(),
      session: session.key as string,
      request: id,
      action: event.action,
      phase: event.phase,
      principal: event.principal,
      parent_principal: event.parent_principal,
      span_id: event.span_id,
      call_id: event.call_id,
      argsCanonical,
    });
    if (found === null) return false;
    if (found.same) this.#group.say(connection, answerFromKept(id, found.kept, session.features));
    else if ("error" in found) this.#group.say(connection, answerFor(id, notRecorded, session.features).frame);
    else this.#mismatch(connection, id);
    return true;
  }

  #mismatch(connection: Connection, id: string): void {
    const judged = blockJudgement("resend_mismatch", "this request id was used for another question");
    this.#group.say(connection, answerFor(id, judged, connection.session.features).frame);
  }

  /** Whoever asked is answered, each time that it asked: the connection that asked first may be alive after all. */
  #awaitToo(pending: PendingQuestion, connection: Connection): void {
    pending.askers.push(connection);
    connection.began();
  }

  #judge(question: AskedQuestion): Judgement | Promise<Judgement> {
    const { disabled, overran, slot, state } = this.#bench;
    const { event } = question.received;
    question.state = state;
    if (disabled) return blockJudgement("engine_disabled", "the engine ended too often; reload the rules or restart");
    if (overran.size > 0 && overran.has(callDigest(event, question.argsCanonical))) {
      return blockJudgement("request_overran", "this call made a rule overrun before and is not judged again");
    }
    const { line, session } = question;
    deepFreeze(event.args);
    slot.stampRequest(line, session.stamp);
    try {
      return judge(
        {
          event,
          now_ms: question.time_ms,
          canReplaceArgs: session.features.replace_args,
          stamp: () => slot.stampRequest(line, session.stamp),
        },
        state,
      );
    } catch {
      return engineFailed;
    }
  }

  #decided(question: AskedQuestion, judgement: Judgement): void {
    const { id, session } = question;
    const { judged, frame } = answerFor(id, judgement, session.features);
    const isRewrite = judged.modified_args !== null || judged.modified_result !== null;
    const record = decisionRecord(
      {
        time_ms: question.time_ms,
        event: question.received.event,
        argsCanonical: question.argsCanonical,
        session: session.key,
        request: id,
        rules: question.state.index.loaded.digest,
        principals: question.state.principals,
      },
      judged,
      session.key !== null && isRewrite ? frame : null,
    );
    this.#group.decide(record, (result) => {
      if (session.pending.get(id) === question) session.pending.delete(id);
      const answer = result.durable ? frame : answerFor(id, notRecorded, session.features).frame;
      for (const connection of question.askers) {
        this.#group.speak(connection, answer);
        connection.ended();
      }
    });
  }
}

const engineFailed = blockJudgement("engine_failed", "the engine failed while it judged this call");
const notRecorded = blockJudgement("ledger_unavailable", "the receipt could not be made durable");

class AskedQuestion implements PendingQuestion {
  readonly askers: Connection[];
  readonly session: Session;
  readonly line: Uint8Array;
  readonly id: string;
  readonly received: ReceivedEvent;
  readonly argsCanonical: string;
  state!: EngineState;
  readonly time_ms: number;

  constructor(
    connection: Connection,
    session: Session,
    line: Uint8Array,
    id: string,
    received: ReceivedEvent,
    argsCanonical: string,
    time_ms: number,
  ) {
    this.time_ms = time_ms;
    this.askers = [connection];
    this.session = session;
    this.line = line;
    this.id = id;
    this.received = received;
    this.argsCanonical = argsCanonical;
  }
}
