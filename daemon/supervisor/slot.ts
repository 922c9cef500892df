import { MAX_LINE } from "../../wire/limits.ts";
import type { RuleWatch } from "../engine/watch.ts";

/**
 * The memory that the engine's thread and the watchdog's share. The engine writes what it is doing; the watchdog reads
 * it from outside, because code that never returns cannot report. The watchdog writes one word back: its clock.
 */
const word = Object.freeze({
  /** Rises at every `enter` and `leave`: an unchanged value is a rule that is still running. */
  step: 0,
  /** The rule that runs now, or a state below zero. */
  running: 1,
  /** Bytes of the request in judgement. */
  lineBytes: 2,
  /** Bytes of the session it came by. */
  sessionBytes: 3,
  /** Rises while the engine's event loop turns. */
  heartbeat: 4,
  /** The watchdog's clock, in milliseconds from its start, wrapping at 2^31. */
  clock_ms: 5,
  words: 6,
});

/** Nothing of a rule set runs. */
export const idle = -1;
/** A module's top level or its examples run. */
export const loading = -2;

/** Its client's name is at most 1024 bytes, each of which JSON may write as six. */
const sessionRoom = 16_384;
const headerBytes = word.words * Int32Array.BYTES_PER_ELEMENT;

/** Untouched pages cost nothing: the room for a whole frame is only paid by a daemon that was sent one. */
export const newSlotMemory = (): SharedArrayBuffer => new SharedArrayBuffer(headerBytes + sessionRoom + MAX_LINE);

const viewsOf = (memory: SharedArrayBuffer) => ({
  words: new Int32Array(memory, 0, word.words),
  session: new Uint8Array(memory, headerBytes, sessionRoom),
  line: new Uint8Array(memory, headerBytes + sessionRoom, MAX_LINE),
});

/** The engine's end. */
export class EngineSlot implements RuleWatch {
  readonly #words: Int32Array;
  readonly #line: Uint8Array;
  readonly #session: Uint8Array;
  #stampedSession: string | null = null;
  #step = 0;

  constructor(memory: SharedArrayBuffer) {
    const { words, line, session } = viewsOf(memory);
    this.#words = words;
    this.#line = line;
    this.#session = session;
  }

  /** Which request the rules that run next are about: its bytes, and its session's text. */
  stampRequest(line: Uint8Array, session: string): void {
    this.#line.set(line);
    Atomics.store(this.#words, word.lineBytes, line.length);
    if (session === this.#stampedSession) return;
    this.#stampedSession = session;
    const bytes = Buffer.from(session);
    if (bytes.length > sessionRoom) throw new RangeError("session text exceeds its room in the slot");
    this.#session.set(bytes);
    Atomics.store(this.#words, word.sessionBytes, bytes.length);
  }

  enter(ruleNumber: number): void {
    this.#words[word.running] = ruleNumber;
    this.#step = (this.#step + 1) | 0;
    // The ordered store publishes the plain one before it; this thread is the only one that counts steps.
    Atomics.store(this.#words, word.step, this.#step);
  }

  leave(): void {
    this.#words[word.running] = idle;
    this.#step = (this.#step + 1) | 0;
    Atomics.store(this.#words, word.step, this.#step);
  }

  /** Module top levels and examples run between this and `leave`. */
  enterLoading(): void {
    this.enter(loading);
  }

  beat(): void {
    Atomics.add(this.#words, word.heartbeat, 1);
  }

  coarseNow_ms(): number {
    return Atomics.load(this.#words, word.clock_ms);
  }
}

/** What the watchdog saw at one moment. */
export interface SlotView {
  readonly step: number;
  readonly running: number;
  readonly heartbeat: number;
}

/** The watchdog's end. */
export class WatchdogSlot {
  readonly #words: Int32Array;
  readonly #line: Uint8Array;
  readonly #session: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    const { words, line, session } = viewsOf(memory);
    this.#words = words;
    this.#line = line;
    this.#session = session;
    Atomics.store(words, word.running, idle);
  }

  look(): SlotView {
    return {
      step: Atomics.load(this.#words, word.step),
      running: Atomics.load(this.#words, word.running),
      heartbeat: Atomics.load(this.#words, word.heartbeat),
    };
  }

  setClock_ms(now_ms: number): void {
    Atomics.store(this.#words, word.clock_ms, now_ms & 0x7fffffff);
  }

  /** The request in judgement, copied out. Read only after the engine's thread has ended. */
  request(): { readonly line: Uint8Array; readonly session: string } {
    const lineBytes = Atomics.load(this.#words, word.lineBytes);
    const sessionBytes = Atomics.load(this.#words, word.sessionBytes);
    return {
      line: Uint8Array.from(this.#line.subarray(0, lineBytes)),
      session: Buffer.from(this.#session.slice(0, sessionBytes)).toString("utf8"),
    };
  }
}
