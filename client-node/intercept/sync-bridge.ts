import { MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { OutcomeBody } from "../../wire/request-bodies.ts";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import { blocked } from "../ask.ts";
import { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import type { ApprovedCall } from "../guard-options.ts";
import type { EngineAddress } from "../known-engines.ts";
import { ownPromise } from "../own-promise.ts";
import { noReply, noVerdict } from "../reasons.ts";
import type { EventFields } from "../sensor-event.ts";
import type { ClosableSyncEngine } from "./ask.ts";
import { type BridgeThread, endBridgeThread, startBridgeThread } from "./bridge-thread.ts";
import { asOwnCall } from "./own-call.ts";
import { PendingQuestions, refusalOf } from "./pending-questions.ts";
import {
  answeredWord,
  type BridgeAnswer,
  type BridgeBody,
  type BridgeQuestion,
  couldNotStart,
  endedWord,
} from "./sync-messages.ts";

// Taken before anything is patched.
const receive = receiveMessageOnPort;
const { postMessage } = MessagePort.prototype;
const now_ms = performance.now.bind(performance);
const { load, wait, waitAsync } = Atomics;

/** Why a thread answers no more; null while it runs. */
const endOf = ({ state }: BridgeThread): string | null => {
  const how = load(state, endedWord);
  if (how === 0) return null;
  return how === couldNotStart
    ? "the guard's thread cannot start: its file is missing or broken; install the package again"
    : "the guard's thread has ended";
};

interface Running extends BridgeThread {
  readonly pending: PendingQuestions;
  /** Somebody takes in what is answered to the pending ones. */
  isRead: boolean;
  hasAnswered: boolean;
}

const running = (thread: BridgeThread): Running => ({
  ...thread,
  pending: new PendingQuestions(),
  isRead: false,
  hasAnswered: false,
});

/**
 * Asks a daemon for this thread: another one, with a connection of its own, does the asking. A caller who waits sleeps on a shared word;
 * one who goes on is woken by it. So no socket of the guard's is in this thread, where a program could come by it (`async_hooks`,
 * `EventEmitter.prototype`) and answer in the daemon's place; the port has no events, and is read by Node's own function.
 *
 * Begins with the first question, unless it was begun before, and does not keep the process alive; a pending question does. A thread
 * that has died is replaced once, unless it never answered, or was begun before the program: then every question is blocked. A
 * program comes by the port of a thread that begins in its midst (`MessagePort.prototype`, `async_hooks`).
 */
export class SyncBridge implements ClosableSyncEngine {
  readonly #address: EngineAddress;
  #running: Running | null = null;
  #restarts: number;
  #isClosed = false;
  #replays = true;
  #count = 0;

  constructor(address: EngineAddress, begun: BridgeThread | null = null) {
    this.#address = address;
    if (begun !== null) this.#running = running(begun);
    this.#restarts = begun === null ? 1 : 0;
  }

  /** @throws BlockedError there is no verdict */
  evaluateSync(event: EventFields): Decision {
    return this.#decision(
      event.action,
      asOwnCall(() => this.#ask(event)),
    );
  }

  /** Does the daemon answer repeats with the recorded result? Until one has said, it is taken to. */
  get replays(): boolean {
    return this.#replays;
  }

  /** The same without waiting. Rejects with BlockedError. */
  evaluate(event: EventFields): Promise<Decision> {
    return this.#askLater(event.action, { kind: "event", event });
  }

  /** For the program's own use of this package. */
  resume(approvalId: string, call: ApprovedCall): Promise<Decision> {
    return this.#askLater(call.action ?? "resume", { kind: "resume", approvalId, call });
  }

  outcome(outcome: OutcomeBody): Promise<Decision> {
    return this.#askLater("outcome", { kind: "outcome", outcome });
  }

  async surface(surface: SurfaceBody): Promise<Decision | null> {
    const answer = await this.#answerLater("surface", { kind: "surface", surface });
    return answer.refusal === null && answer.decision === null ? null : this.#decision("surface", answer);
  }

  async #askLater(action: string, body: BridgeBody): Promise<Decision> {
    return this.#decision(action, await this.#answerLater(action, body));
  }

  #answerLater(action: string, body: BridgeBody): Promise<BridgeAnswer> {
    const thread = asOwnCall(() => this.#thread(action));
    const number = this.#nextNumber();
    // Before it is put: a hook of the program's, run by what is made here, can take in answers meanwhile.
    const answer = thread.pending.add(number, this.#address.settings.timeout_ms, () => this.#late());
    const refusal = asOwnCall(() => this.#put(thread, number, body));
    if (refusal !== null) thread.pending.settle(refusalOf(number, refusal));
    if (!thread.isRead) void this.#read(thread);
    return ownPromise(answer);
  }

  /** What is pending is answered yet. */
  close(): void {
    this.#isClosed = true;
    if (this.#running?.isRead !== true) this.#end();
  }

  #decision(action: string, { refusal, decision, replaces_args, isFallback, replays }: BridgeAnswer): Decision {
    if (refusal !== null || decision === null) throw blocked(action, refusal ?? "no verdict");
    this.#replays = replays;
    if (isFallback) {
      try {
        this.#address.settings.onFallback(decision.reason);
      } catch (error) {
        throw blocked(action, `\`onFallback\` threw ${errorName(error)}`);
      }
    }
    return new Decision(decision, replaces_args);
  }

  /** Why it cannot be put; null where it is. */
  #put(thread: Running, number: number, body: BridgeBody): string | null {
    const question: BridgeQuestion = { number, body };
    try {
      Reflect.apply(postMessage, thread.port, [question]);
      return null;
    } catch (error) {
      return `the arguments cannot be put to the guard: ${errorName(error)}`;
    }
  }

  #ask(event: EventFields): BridgeAnswer {
    const { timeout_ms } = this.#address.settings;
    const thread = this.#thread(event.action);
    const number = this.#nextNumber();
    const refusal = this.#put(thread, number, { kind: "event", event });
    if (refusal !== null) return refusalOf(number, refusal);
    const deadline_ms = timeout_ms === null ? Number.POSITIVE_INFINITY : now_ms() + timeout_ms;
    for (;;) {
      const seen = load(thread.state, answeredWord);
      const answer = this.#received(thread, number);
      if (answer !== null) return answer;
      const end = endOf(thread);
      if (end !== null) throw blocked(event.action, end);
      const left_ms = deadline_ms - now_ms();
      if (left_ms <= 0) throw blocked(event.action, this.#late());
      wait(thread.state, answeredWord, seen, left_ms);
    }
  }

  #late(): string {
    return noVerdict(this.#address.path, noReply((this.#address.settings.timeout_ms ?? 0) as number));
  }

  /** Takes in answers until none is pending any more. */
  async #read(thread: Running): Promise<void> {
    thread.isRead = true;
    while (thread.pending.size > 0) {
      const seen = load(thread.state, answeredWord);
      this.#received(thread, null);
      const end = endOf(thread);
      if (end !== null) thread.pending.refuseAll(end);
      if (thread.pending.size === 0) break;
      const { async, value } = waitAsync(thread.state, answeredWord, seen);
      if (async) await ownPromise(value);
    }
    thread.isRead = false;
    if (this.#isClosed) this.#end();
  }

  /** Answers to questions that were given up are passed over. */
  #received(thread: Running, number: number | null): BridgeAnswer | null {
    for (let got = receive(thread.port); got !== undefined; got = receive(thread.port)) {
      const answer = got.message as BridgeAnswer;
      thread.hasAnswered = true;
      if (answer.number === number) return answer;
      thread.pending.settle(answer);
    }
    return null;
  }

  #nextNumber(): number {
    this.#count = (this.#count % 0x3fff_ffff) + 1;
    return this.#count;
  }

  #thread(action: string): Running {
    if (this.#isClosed) throw blocked(action, "the guard's thread is closed");
    if (this.#running !== null) {
      const end = endOf(this.#running);
      if (end === null) return this.#running;
      if (!this.#running.hasAnswered || this.#restarts === 0) throw blocked(action, end);
      this.#restarts--;
      this.#end();
    }
    try {
      this.#running = this.#start();
    } catch (error) {
      throw blocked(action, `the guard's thread cannot start: ${errorName(error)}`);
    }
    return this.#running;
  }

  #start(): Running {
    const { path, settings } = this.#address;
    return running(startBridgeThread(path, settings));
  }

  #end(): void {
    const thread = this.#running;
    this.#running = null;
    if (thread !== null) endBridgeThread(thread);
  }
}
