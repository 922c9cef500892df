import { idle, loading, type SlotView } from "./slot.ts";

/** What the watchdog concludes of what it sees. */
export type Finding =
  | { readonly kind: "well" }
  | { readonly kind: "rule_overran"; readonly ruleNumber: number }
  | { readonly kind: "loading_overran" }
  /** The loop does not turn and no rule is named. */
  | { readonly kind: "stalled" };

export interface WatchdogLimits {
  /** Deadline of one rule by its number. */
  deadlineOf_ms(ruleNumber: number): number;
  readonly loadingDeadline_ms: number;
  /** Counts from the first beat: an engine that opens its ledger does not turn yet. */
  readonly stallDeadline_ms: number;
}

const well: Finding = Object.freeze({ kind: "well" });

/**
 * Judges a row of looks at the slot. It counts only time in which it was itself running: a look that comes late (the
 * machine slept, the process was stopped) starts the count anew, so that nobody is blamed for a pause of everybody.
 */
export class Watchdog {
  readonly #limits: WatchdogLimits;
  readonly #interval_ms: number;
  #last: SlotView | null = null;
  #lastLook_ms = 0;
  #sameStepFor_ms = 0;
  #sameBeatFor_ms = 0;

  constructor(limits: WatchdogLimits, interval_ms: number) {
    this.#limits = limits;
    this.#interval_ms = interval_ms;
  }

  look(view: SlotView, now_ms: number): Finding {
    const last = this.#last;
    const since_ms = now_ms - this.#lastLook_ms;
    this.#last = view;
    this.#lastLook_ms = now_ms;
    if (last === null) return well;
    const late = since_ms > 4 * this.#interval_ms + 50;
    const elapsed_ms = late ? 0 : since_ms;
    this.#sameStepFor_ms = view.step === last.step && !late ? this.#sameStepFor_ms + elapsed_ms : 0;
    this.#sameBeatFor_ms = view.heartbeat === last.heartbeat && !late ? this.#sameBeatFor_ms + elapsed_ms : 0;
    if (view.running === loading) {
      return this.#sameStepFor_ms > this.#limits.loadingDeadline_ms ? { kind: "loading_overran" } : well;
    }
    if (view.running !== idle) {
      const deadline_ms = this.#limits.deadlineOf_ms(view.running);
      return this.#sameStepFor_ms > deadline_ms ? { kind: "rule_overran", ruleNumber: view.running } : well;
    }
    if (view.heartbeat === 0) return well;
    return this.#sameBeatFor_ms > this.#limits.stallDeadline_ms ? { kind: "stalled" } : well;
  }

  /** A fresh engine: nothing seen so far counts against it. */
  reset(): void {
    this.#last = null;
    this.#sameStepFor_ms = 0;
    this.#sameBeatFor_ms = 0;
  }
}
