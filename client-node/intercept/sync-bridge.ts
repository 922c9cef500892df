import { MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { blocked } from "../ask.ts";
import { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import type { EngineAddress } from "../known-engines.ts";
import { noReply, noVerdict } from "../reasons.ts";
import type { EventFields } from "../sensor-event.ts";
import { type BridgeThread, endBridgeThread, startBridgeThread } from "./bridge-thread.ts";
import { asOwnCall } from "./own-call.ts";
import type { ClosableSyncEngine } from "./sync-engine.ts";
import { answeredWord, type BridgeAnswer, type BridgeQuestion, endedWord } from "./sync-messages.ts";

// Taken before anything is patched.
const receive = receiveMessageOnPort;
const { postMessage } = MessagePort.prototype;
const now_ms = performance.now.bind(performance);
const { load, wait } = Atomics;

interface Running extends BridgeThread {
  hasAnswered: boolean;
}

/**
 * Asks a daemon while the caller waits: a thread with a connection of its own does the asking, and the caller sleeps on a shared
 * word. Begins with the first question, unless it was begun before, and does not keep the process alive. A thread that has died is replaced once, unless it never answered:
 * then every question is blocked.
 */
export class SyncBridge implements ClosableSyncEngine {
  readonly #address: EngineAddress;
  #running: Running | null = null;
  #restarts = 0;
  #isClosed = false;
  #count = 0;

  constructor(address: EngineAddress, begun: BridgeThread | null = null) {
    this.#address = address;
    if (begun !== null) this.#running = { ...begun, hasAnswered: false };
  }

  /** @throws BlockedError there is no verdict */
  evaluateSync(event: EventFields): Decision {
    const answer = asOwnCall(() => this.#ask(event));
    if (answer.refusal !== null || answer.decision === null)
      throw blocked(event.action, answer.refusal ?? "no verdict");
    const { onFallback } = this.#address.settings;
    if (answer.isFallback) {
      try {
        onFallback(answer.decision.reason);
      } catch (error) {
        throw blocked(event.action, `\`onFallback\` threw ${errorName(error)}`);
      }
    }
    return new Decision(answer.decision, answer.replaces_args);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
  }

  #ask(event: EventFields): BridgeAnswer {
    const number = this.#nextNumber();
    const running = this.#thread(event.action);
    const { timeout_ms } = this.#address.settings;
    const deadline_ms = timeout_ms === null ? Number.POSITIVE_INFINITY : now_ms() + timeout_ms;
    const question: BridgeQuestion = { number, event };
    try {
      Reflect.apply(postMessage, running.port, [question]);
    } catch (error) {
      throw blocked(event.action, `the arguments cannot be put to the guard: ${errorName(error)}`);
    }
    for (;;) {
      const seen = load(running.state, answeredWord);
      const answer = this.#received(running, number);
      if (answer !== null) return answer;
      if (load(running.state, endedWord) !== 0) throw blocked(event.action, "the guard's thread has ended");
      const left_ms = deadline_ms - now_ms();
      if (left_ms <= 0) {
        throw blocked(event.action, noVerdict(this.#address.path, noReply(timeout_ms as number)));
      }
      wait(running.state, answeredWord, seen, left_ms);
    }
  }

  /** Answers to questions that were given up are passed over. */
  #received(running: Running, number: number): BridgeAnswer | null {
    for (let got = receive(running.port); got !== undefined; got = receive(running.port)) {
      const answer = got.message as BridgeAnswer;
      running.hasAnswered = true;
      if (answer.number === number) return answer;
    }
    return null;
  }

  #nextNumber(): number {
    this.#count = (this.#count % 0x3fff_ffff) + 1;
    return this.#count;
  }

  #thread(action: string): Running {
    if (this.#isClosed) throw blocked(action, "the guard's thread is closed");
    if (this.#running !== null && load(this.#running.state, endedWord) === 0) return this.#running;
    if (this.#running !== null) {
      if (!this.#running.hasAnswered || this.#restarts > 0) throw blocked(action, "the guard's thread has ended");
      this.#restarts++;
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
    return { ...startBridgeThread(path, settings), hasAnswered: false };
  }

  #end(): void {
    const running = this.#running;
    this.#running = null;
    if (running !== null) endBridgeThread(running);
  }
}
