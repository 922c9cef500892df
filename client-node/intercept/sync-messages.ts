import type { Decision as WireDecision } from "../../wire/decision.ts";
import type { EventFields } from "../sensor-event.ts";

/** What the waiting thread and the bridge's thread say to each other. */

export interface BridgeStart {
  /** The program of the thread. */
  readonly file: string;
  readonly path: string;
  readonly timeout: number | null;
  readonly grace_ms: number;
  readonly allowsAbsence: boolean;
  readonly principal: string | null;
  readonly token: string | null;
  readonly port: MessagePortLike;
  /** Two words: the number of the last question that has its answer, and whether the thread has ended, and how. */
  readonly state: Int32Array;
}

type MessagePortLike = import("node:worker_threads").MessagePort;

export interface BridgeQuestion {
  readonly number: number;
  readonly event: EventFields;
}

/** `refusal` is set where there is no verdict; then nothing else counts. */
export interface BridgeAnswer {
  readonly number: number;
  readonly refusal: string | null;
  readonly decision: WireDecision | null;
  readonly replaces_args: boolean;
  /** Let through because nobody listens, as the program asked for by name. */
  readonly isFallback: boolean;
}

export const answeredWord = 0;
export const endedWord = 1;

/** What `endedWord` says; 0 while the thread runs. */
export const hasEnded = 1;
export const couldNotStart = 2;
