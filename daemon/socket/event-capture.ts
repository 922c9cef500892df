import type { FeatureSet } from "../../wire/features.ts";
import { capturedText, leftOutText, maxCapturedLength } from "../ledger/captured-event.ts";
import type { Capture } from "../ledger/record.ts";
import type { Asking } from "./asked-question.ts";

const day_ms = 86_400_000;

/** What is captured of a day: an agent that sends large arguments fills no disk with them. */
export const maxCapturedLengthPerDay = 1024 * 1024 * 1024;

/** What it takes of a question: the call as it was put, how its JSON is read, and the rules that judge it. */
interface PutQuestion {
  readonly asking: Pick<Asking, "received" | "argsCanonical" | "resume" | "fixed">;
  readonly session: { readonly features: Pick<FeatureSet, "escape"> };
  readonly state: {
    readonly index: {
      readonly contracts: ReadonlyMap<string, { readonly contract: { readonly redact: readonly string[] } }>;
    };
  };
  readonly time_ms: number;
}

/** Takes each call as it was put, for `interlock simulate --ledger`, without what its tool's contract keeps from view. */
export class EventCapture {
  readonly #keep_ms: number;
  #day = 0;
  #taken = 0;

  readonly #mostPerDay: number;

  constructor(capture_days: number, mostPerDay = maxCapturedLengthPerDay) {
    this.#keep_ms = capture_days * day_ms;
    this.#mostPerDay = mostPerDay;
  }

  /** Null for a result, and for what is no call: an outcome, a resume of nothing. */
  of({ asking, session, state, time_ms }: PutQuestion): Capture | null {
    const { event, argsJson } = asking.received;
    if (event.phase !== "call" || asking.fixed !== null) return null;
    const expires_ms = time_ms + this.#keep_ms;
    // Judged by its length before it is copied.
    if (asking.argsCanonical.length > maxCapturedLength) return { text: leftOutText("too_large"), expires_ms };
    const redact = state.index.contracts.get(event.action)?.contract.redact ?? [];
    // What is resumed comes from our own keeping, which escapes.
    const escapes = session.features.escape || asking.resume !== null;
    const text = capturedText({ event, argsJson, escapes }, redact);
    return { text: this.#hasRoom(text.length, time_ms) ? text : leftOutText("no_room"), expires_ms };
  }

  #hasRoom(length: number, time_ms: number): boolean {
    const day = Math.floor(time_ms / day_ms);
    if (day !== this.#day) {
      this.#day = day;
      this.#taken = 0;
    }
    if (this.#taken + length > this.#mostPerDay) return false;
    this.#taken += length;
    return true;
  }
}
