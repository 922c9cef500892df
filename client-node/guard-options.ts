import type { Decision as WireDecision } from "../wire/decision.ts";
import { MAX_LINE } from "../wire/limits.ts";
import type { OutcomeBody } from "../wire/request-bodies.ts";
import type { NamedServer, SurfaceBody } from "../wire/surface-body.ts";
import type { Escalation } from "./escalation.ts";
import { longestWait_ms } from "./limits.ts";
import type { UncheckedEvent } from "./sensor-event.ts";

export type EngineAnswer = WireDecision & { readonly replaces_args?: boolean };

/** The call that an approval is for: its id, and the action that is about to run. */
export interface ApprovedCall {
  readonly callId: string;
  readonly action?: string;
}

/** Whatever decides: a `RemoteEngine`, or an object with the same methods. Anything it throws blocks the call. */
export interface Engine {
  evaluate(event: UncheckedEvent): Promise<EngineAnswer>;
  /** Asks to run an approved call. Without it a call that needs an approval does not run. */
  resume?(approvalId: string, call: ApprovedCall): Promise<EngineAnswer>;
  /** Is told what became of a call that may run and has no result. */
  outcome?(outcome: OutcomeBody): Promise<EngineAnswer>;
  /** Is told what an MCP server lists. Null where nothing is kept of it. */
  surface?(surface: SurfaceBody): Promise<EngineAnswer | null>;
  /** Does it answer a repeat with the recorded result? Then a result is put to it in a form that can be given back. */
  readonly replays?: boolean;
}

/** `monitor` records verdicts and does not act on them; an engine that gives no verdict still blocks. */
export type Enforcement = "blocking" | "monitor";

/** A call that was not run, because it ran before; its recorded result was delivered instead. */
export interface Replay {
  readonly action: string;
  /** The transaction of the call that ran. */
  readonly transactionId: string;
}

export interface GuardOptions {
  readonly engine: Engine;
  /** Default `blocking`. */
  readonly enforcement?: Enforcement;
  readonly principal?: string | null;
  readonly parentPrincipal?: string | null;
  readonly spanId?: string | null;
  /** Asked for a human's yes; only a resolved `true` approves this one call. Without it an escalation is a refusal. */
  readonly onEscalate?: (escalation: Escalation) => Promise<boolean> | boolean;
  /** What becomes of a call that an operator has to approve. Default `refuse`: a `NotApprovedError`, which carries the approval's id. */
  readonly escalate?: "refuse" | "wait";
  /** How long `wait` waits, in milliseconds; from 1 to 2^31 - 1. Default ten minutes. Then it is a `NotApprovedError`. */
  readonly escalateDeadline_ms?: number;
  /** How long a result that is a stream may be, in bytes; from 1 to 8 MiB. Default 4 MiB. One byte more, and nothing of it is delivered. */
  readonly maxStreamBytes?: number;
  /** Told by the wrappers of each replay. If it throws, the recorded result is not delivered. */
  readonly onReplay?: (replay: Replay) => void;
}

export interface EnforceOptions extends GuardOptions {
  /** Shared by a call and its result, so that the daemon can close the one with the other. */
  readonly callId?: string | null;
  /** Aborted before the call runs, it does not run; nor does it wait for an approval any longer. */
  readonly signal?: AbortSignal | null;
  /** The MCP server whose tool it is, and the way to tell the daemon anew what that lists. */
  readonly surface?: ReportedServer | null;
}

/** A server whose listing the daemon was told. */
export interface ReportedServer {
  readonly named: NamedServer;
  /** Lists and reports again. Rejects with BlockedError. */
  renew(): Promise<void>;
}

/** A setting that is misspelled would weaken the guard unseen: it is refused when the guard is made. */
export const checkedOptions = <T extends GuardOptions>(options: T): T => {
  if (typeof options?.engine?.evaluate !== "function") {
    throw new TypeError("guard options: `engine` needs an `evaluate` method");
  }
  const { enforcement, onEscalate, escalate, escalateDeadline_ms, onReplay, maxStreamBytes } = options;
  if (enforcement !== undefined && enforcement !== "blocking" && enforcement !== "monitor") {
    throw new TypeError('guard options: `enforcement` is "blocking" or "monitor"');
  }
  if (onEscalate !== undefined && typeof onEscalate !== "function") {
    throw new TypeError("guard options: `onEscalate` is a function");
  }
  if (onReplay !== undefined && typeof onReplay !== "function") {
    throw new TypeError("guard options: `onReplay` is a function");
  }
  if (escalate !== undefined && escalate !== "refuse" && escalate !== "wait") {
    throw new TypeError('guard options: `escalate` is "refuse" or "wait"');
  }
  if (escalate === "wait" && typeof options.engine.resume !== "function") {
    throw new TypeError('guard options: `escalate: "wait"` needs an engine with a `resume` method');
  }
  if (escalateDeadline_ms !== undefined && !isWait(escalateDeadline_ms)) {
    throw new TypeError(
      `guard options: \`escalateDeadline_ms\` is a number of milliseconds from 1 to ${longestWait_ms}`,
    );
  }
  if (maxStreamBytes !== undefined && !isStreamBound(maxStreamBytes)) {
    throw new TypeError(`guard options: \`maxStreamBytes\` is a whole number of bytes from 1 to ${MAX_LINE}`);
  }
  return options;
};

const isStreamBound = (bytes: unknown): boolean =>
  Number.isSafeInteger(bytes) && (bytes as number) >= 1 && (bytes as number) <= MAX_LINE;

const isWait = (ms: unknown): boolean => typeof ms === "number" && ms >= 1 && ms <= longestWait_ms;
