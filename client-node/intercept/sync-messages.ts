import type { Decision as WireDecision } from "../../wire/decision.ts";
import type { OutcomeBody } from "../../wire/request-bodies.ts";
import type { SurfaceBody } from "../../wire/surface-body.ts";
import type { Absent } from "../engine-options.ts";
import type { FallbackPlaces } from "../fallback/degraded.ts";
import type { ApprovedCall } from "../guard-options.ts";
import type { EventFields } from "../sensor-event.ts";
import type { HandedToken } from "./handed-token.ts";

/** What the waiting thread and the bridge's thread say to each other. */

export interface BridgeStart {
  /** The program of the thread. */
  readonly file: string;
  readonly path: string;
  readonly timeout: number | null;
  readonly grace_ms: number;
  readonly unreachable: Absent;
  readonly fallback: FallbackPlaces | null;
  readonly principal: string | null;
  readonly scope: string | null;
  readonly token: HandedToken;
  readonly port: MessagePortLike;
  /** Two words: the number of the last question that has its answer, and whether the thread has ended, and how. */
  readonly state: Int32Array;
}

type MessagePortLike = import("node:worker_threads").MessagePort;

/** What is put to the daemon: an event of the program's or, for its own use of this package, what concerns a transaction. */
export type BridgeBody =
  | { readonly kind: "event"; readonly event: EventFields }
  | { readonly kind: "resume"; readonly approvalId: string; readonly call: ApprovedCall }
  | { readonly kind: "outcome"; readonly outcome: OutcomeBody }
  | { readonly kind: "surface"; readonly surface: SurfaceBody };

export interface BridgeQuestion {
  readonly number: number;
  readonly body: BridgeBody;
}

/** `refusal` is set where there is no verdict; then nothing else counts. Without both the daemon keeps nothing of what it was told. */
export interface BridgeAnswer {
  readonly number: number;
  readonly refusal: string | null;
  readonly decision: WireDecision | null;
  readonly replaces_args: boolean;
  /** Let through because nobody listens, as the program asked for by name. */
  readonly isFallback: boolean;
  /** Does the daemon answer repeats with the recorded result? */
  readonly replays: boolean;
}

export const answeredWord = 0;
export const endedWord = 1;

/** What `endedWord` says; 0 while the thread runs. */
export const hasEnded = 1;
export const couldNotStart = 2;
