import type { Decision as WireDecision } from "../wire/decision.ts";
import type { Escalation } from "./escalation.ts";
import type { UncheckedEvent } from "./sensor-event.ts";

/** Whatever decides: a `RemoteEngine`, or an object with the same method. Anything it throws blocks the call. */
export interface Engine {
  evaluate(event: UncheckedEvent): Promise<WireDecision & { readonly replaces_args?: boolean }>;
}

/** `monitor` records verdicts and does not act on them; an engine that gives no verdict still blocks. */
export type Enforcement = "blocking" | "monitor";

export interface GuardOptions {
  readonly engine: Engine;
  /** Default `blocking`. */
  readonly enforcement?: Enforcement;
  readonly principal?: string | null;
  readonly parentPrincipal?: string | null;
  readonly spanId?: string | null;
  /** Asked for a human's yes; only a resolved `true` approves this one call. Without it an escalation is a refusal. */
  readonly onEscalate?: (escalation: Escalation) => Promise<boolean> | boolean;
}

export interface EnforceOptions extends GuardOptions {
  /** Shared by a call and its result, so that the daemon can close the one with the other. */
  readonly callId?: string | null;
}

/** A setting that is misspelled would weaken the guard unseen: it is refused when the guard is made. */
export const checkedOptions = <T extends GuardOptions>(options: T): T => {
  if (typeof options?.engine?.evaluate !== "function") {
    throw new TypeError("guard options: `engine` needs an `evaluate` method");
  }
  const { enforcement, onEscalate } = options;
  if (enforcement !== undefined && enforcement !== "blocking" && enforcement !== "monitor") {
    throw new TypeError('guard options: `enforcement` is "blocking" or "monitor"');
  }
  if (onEscalate !== undefined && typeof onEscalate !== "function") {
    throw new TypeError("guard options: `onEscalate` is a function");
  }
  return options;
};
