import type { FeatureSet } from "../wire/features.ts";
import { Verdict } from "../wire/verdict.ts";
import { Absence, connectFailure } from "./absence.ts";
import type { Answer } from "./answer.ts";
import { Connection, type ConnectionOwner, type Ending } from "./connection.ts";
import { DeadlineQueue } from "./deadline-queue.ts";
import type { EngineSettings } from "./engine-options.ts";
import type { Tally } from "./engine-stats.ts";
import { fitFrame } from "./event-frame.ts";
import { decidedAtOnce } from "./fallback/limits.ts";
import type { OfflineDesk } from "./fallback/offline-desk.ts";
import { offeredFeatures, type StandingGreeting, type Terms } from "./greeting.ts";
import type { Question } from "./question.ts";
import { noReply, notConnected, notPutToGuard, noVerdict, refusedByDaemon } from "./reasons.ts";
import { Settlement } from "./settlement.ts";
import { isRenewed, readToken } from "./token-source.ts";
import { Unreachable } from "./unreachable.ts";
import { WaitingLine } from "./waiting-line.ts";

const now = (): number => performance.now();

export interface DeliveryListener {
  /** A call was let run too late, so that it did not. */
  notRun(callId: string): void;
  /** There is a daemon, and this is what was agreed on. */
  reached(features: FeatureSet): void;
}

/**
 * Brings questions to the daemon. Each is in exactly one place: in the line, or pending on the connection; and it leaves by being
 * settled, once. There is at most one connection, or one pause before the next attempt, and neither while no question is there
 * to need it.
 */
export class Delivery {
  readonly #path: string;
  readonly #greeting: StandingGreeting;
  readonly #settings: EngineSettings;
  readonly #tally: Tally;
  readonly #line = new WaitingLine();
  readonly #deadlines = new DeadlineQueue(now, (question) => this.#expired(question));
  readonly #settlement: Settlement;
  readonly #owner: ConnectionOwner;
  #features: FeatureSet;
  #connection: Connection | null = null;
  #absence: Absence | null = null;
  #pause: NodeJS.Timeout | null = null;
  readonly #closing: (() => void)[] = [];
  readonly #unreachable: Unreachable;
  readonly #listener: DeliveryListener;

  /** @param offline decides while nobody listens; null where nothing does. */
  constructor(
    path: string,
    greeting: StandingGreeting,
    settings: EngineSettings,
    tally: Tally,
    offline: OfflineDesk | null,
    listener: DeliveryListener,
  ) {
    this.#listener = listener;
    this.#path = path;
    this.#greeting = greeting;
    this.#features = offeredFeatures(greeting);
    this.#settings = settings;
    this.#tally = tally;
    this.#settlement = new Settlement(tally, this.#line, this.#deadlines, () => this.#idle());
    this.#unreachable = new Unreachable(path, settings, this.#settlement, offline);
    this.#owner = {
      opened: (connection) => this.#opened(connection),
      roomMade: (connection) => this.#askNext(connection),
      answered: (connection, question, answer) => this.#answered(connection, question, answer),
      ended: (connection, ending, pending) => this.#ended(connection, ending, pending),
    };
  }

  /** What the last daemon agreed to; what is offered, before there was one. Frames are made for it, and made anew in the rare case that the next one differs. */
  get features(): FeatureSet {
    return this.#features;
  }

  get terms(): Terms | null {
    return this.#connection?.terms ?? null;
  }

  /** Questions without an answer. */
  get pending(): number {
    return this.#settlement.unsettled;
  }

  /** Those of them that no connection has. */
  get waiting(): number {
    return this.#line.size;
  }

  get isFull(): boolean {
    return this.#line.isFull;
  }

  /** When a question that is asked now runs out of time. */
  deadline_ms(): number {
    const { timeout_ms } = this.#settings;
    return timeout_ms === null ? Number.POSITIVE_INFINITY : now() + timeout_ms;
  }

  accept(question: Question): void {
    this.#deadlines.add(question);
    const connection = this.#connection;
    if (this.#settlement.opened() === 1) connection?.hold(true);
    if (connection?.hasRoom === true && this.#line.size === 0) {
      if (this.#isFit(question, connection.terms)) connection.ask(question);
      return;
    }
    this.#line.push(question);
    if (connection === null && this.#pause === null) this.#connect();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closing.push(resolve);
      if (this.pending === 0) this.#idle();
    });
  }

  #connect(): void {
    let token: string | null;
    try {
      token = readToken(this.#settings.token);
    } catch (error) {
      // Nobody was asked: no absence, and nothing that a fallback decides.
      this.#blockLine(notConnected(error));
      return;
    }
    this.#tally.connections++;
    const greeting = { ...this.#greeting, token };
    this.#connection = new Connection(this.#path, greeting, this.#settings.timeout_ms, this.#owner);
  }

  #opened(connection: Connection): void {
    this.#absence = null;
    if (connection.terms !== null) this.#features = connection.terms.features;
    this.#askNext(connection);
    this.#listener.reached(this.#features);
  }

  #askNext(connection: Connection): void {
    while (connection.hasRoom) {
      const question = this.#line.shift();
      if (question === null) return;
      if (this.#isFit(question, connection.terms)) connection.ask(question);
    }
  }

  /** May the question be asked on these terms? Where not, it is blocked. */
  #isFit(question: Question, terms: Terms | null): boolean {
    if (terms === null) return false;
    if (question.everAsked) {
      if (!terms.features.resend) {
        const reason = refusedByDaemon(
          this.#path,
          "bad_response",
          "asked once, and this daemon cannot tell what became of it",
        );
        this.#settlement.block(question, reason);
        return false;
      }
      this.#tally.resent++;
    }
    try {
      fitFrame(question, terms);
      return true;
    } catch (error) {
      this.#settlement.block(question, notPutToGuard(question.action, question.subject, error));
      return false;
    }
  }

  #answered(connection: Connection, question: Question, answer: Answer): void {
    if (question.state === "settled") this.#late(question, answer);
    else if (this.#needsAnotherToken(question, answer)) this.#showAnother(connection, question);
    else if (answer.decision !== null) this.#settlement.decide(question, answer.decision);
    else this.#settlement.block(question, refusedByDaemon(this.#path, answer.code, answer.message));
  }

  /** The token has run out since the connection began, and the next one may show another. Asked so once, as after a loss. */
  #needsAnotherToken(question: Question, { decision }: Answer): boolean {
    if (decision?.details?.code !== "token_expired" || question.wasLost) return false;
    return isRenewed(this.#settings.token) && question.features.resend;
  }

  #showAnother(connection: Connection, question: Question): void {
    question.wasLost = true;
    this.#line.putBack([question]);
    connection.giveUp(new Error("the token has expired"));
  }

  /** The daemon let a call run whose caller was told that it does not: it is told so, and the next such call need not wait for the lease. */
  #late({ callId }: Question, { decision }: Answer): void {
    if (decision === null || callId === null || decision.details?.transaction_id == null) return;
    if (decision.verdict === Verdict.ALLOW || decision.verdict === Verdict.MODIFY) this.#listener.notRun(callId);
  }

  #expired(question: Question): void {
    this.#tally.timeouts++;
    const connection = question.state === "asked" ? this.#connection : null;
    if (this.#absence !== null && connection === null) this.#unreachable.settle(question, this.#absence);
    else this.#settlement.block(question, noVerdict(this.#path, noReply(this.#settings.timeout_ms ?? 0)));
    connection?.expire(question);
  }

  #ended(connection: Connection, ending: Ending, pending: readonly Question[]): void {
    if (this.#connection === connection) this.#connection = null;
    switch (ending.kind) {
      case "unconnected": {
        const failure = connectFailure(ending.error);
        this.#notConnected(ending.error, failure !== "absent", failure === "wrong");
        return;
      }
      case "ungreeted":
        this.#notConnected(ending.error, true, false);
        return;
      case "anomaly": {
        const reason = refusedByDaemon(this.#path, ending.code, ending.message);
        for (const question of pending) this.#settlement.block(question, reason);
        // Nothing is pending before the hello is answered: those who wait for this connection share its fate.
        if (connection.terms === null) this.#blockLine(reason);
        break;
      }
      case "lost":
        this.#line.putBack(pending.filter((question) => this.#isAskedAgain(question, ending, connection.terms)));
        break;
      case "closed":
        break;
    }
    if (this.#line.size > 0 && this.#connection === null) this.#connect();
  }

  /**
   * A question that lost its connection is asked once more, where a daemon agreed to remember what it decided, or where the frame never
   * reached it. Otherwise it might be decided twice, and is blocked.
   */
  #isAskedAgain(question: Question, ending: Ending & { kind: "lost" }, terms: Terms | null): boolean {
    // On a v1 connection one frame is under way at most, so that a write that failed was this one's.
    if (terms?.isV1 === true && ending.undelivered) question.everAsked = false;
    if (!question.wasLost && (!question.everAsked || terms?.features.resend === true)) {
      question.wasLost = true;
      return true;
    }
    this.#settlement.block(question, noVerdict(this.#path, ending.error));
    return false;
  }

  #notConnected(error: Error, isAnyoneThere: boolean, isUseless: boolean): void {
    if (this.#line.size === 0) {
      this.#absence = null;
      return;
    }
    const absence = this.#absence ?? new Absence(this.#path, error, now);
    absence.failed(error, isAnyoneThere);
    const pause_ms = isUseless ? null : absence.nextPause_ms(this.#settings.grace_ms);
    if (pause_ms === null) {
      this.#giveUp(absence, this.#line.size);
      return;
    }
    this.#absence = absence;
    this.#pause = setTimeout(() => this.#attempt(), pause_ms);
  }

  /** So many of the line have waited long enough. Who came later tries anew. */
  #giveUp(absence: Absence, count: number): void {
    let left = count;
    // Each that a policy decides is written to disk: the program goes on in between.
    const atOnce = this.#settings.unreachable === "degraded" ? decidedAtOnce : count;
    for (let next = 0; next < atOnce && left > 0; next++, left--) {
      const question = this.#line.shift();
      if (question !== null) this.#unreachable.settle(question, absence);
    }
    if (left > 0 && this.#line.size > 0) {
      this.#absence = absence;
      this.#pause = setTimeout(() => {
        this.#pause = null;
        this.#giveUp(absence, left);
      }, 0);
      return;
    }
    this.#absence = null;
    if (this.#line.size > 0 && this.#connection === null && this.#pause === null) this.#connect();
  }

  #attempt(): void {
    this.#pause = null;
    if (this.#line.size > 0) this.#connect();
    else this.#absence = null;
  }

  #blockLine(reason: string): void {
    for (let next = this.#line.shift(); next !== null; next = this.#line.shift()) this.#settlement.block(next, reason);
  }

  /** No question is left: the process may end, and whoever wanted the connection closed has it closed. */
  #idle(): void {
    this.#connection?.hold(false);
    if (this.#pause !== null) clearTimeout(this.#pause);
    this.#pause = null;
    this.#absence = null;
    if (this.#closing.length === 0) return;
    this.#connection?.close();
    for (const resolve of this.#closing.splice(0)) resolve();
  }
}
