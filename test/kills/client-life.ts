import { parseAnswer } from "../../wire/answer.ts";
import type { Decision } from "../../wire/decision.ts";
import { featureSet } from "../../wire/features.ts";
import { eventFrame, helloFrame, outcomeFrame, resumeFrame } from "../../wire/request-frame.ts";
import type { DaemonLife } from "./daemon-life.ts";
import type { LifeConnection } from "./life-connection.ts";
import { action } from "./rules.ts";

export const features = featureSet(["call_id", "details", "escalate", "escape", "replace_args", "replay", "resend"]);

/** One exact call: whoever puts it, it may have its effect once. */
export interface ExactCall {
  readonly args: { readonly customer_id: string; readonly amount: number };
  effects: number;
}

export const resultOf = (call: ExactCall): { readonly paid: number } => ({ paid: call.args.amount });

/** One way of a client to have a call run. */
export interface Attempt {
  readonly call: ExactCall;
  readonly call_id: string;
  stage: "asking" | "waiting" | "may run" | "ran" | "telling" | "over";
  /** Nobody waits for the answer any more: what may run is abandoned. */
  isGivenUp: boolean;
  approval_id: string | null;
  transaction_id: string | null;
  ran: boolean;
  /** What was said of it last. */
  code: string | null;
  /** The daemon said that it has recorded the result. */
  isRecorded: boolean;
}

export const newAttempt = (call: ExactCall, call_id: string): Attempt => ({
  call,
  call_id,
  stage: "asking",
  isGivenUp: false,
  approval_id: null,
  transaction_id: null,
  ran: false,
  code: null,
  isRecorded: false,
});

interface Question {
  readonly line: Buffer;
  readonly attempt: Attempt;
  readonly asked_ms: number;
}

/** No client waits longer for an answer. */
const patience_ms = 20_000;

export interface Heard {
  readonly session: string;
  readonly request: string;
  readonly decision: Decision;
  readonly attempt: Attempt;
}

/** A client process: it asks, runs what it may, and tells. Its questions outlive its connections, not itself. */
export class ClientLife {
  readonly nonce: string;
  readonly attempts: Attempt[] = [];
  readonly #heard: (heard: Heard) => void;
  readonly #questions = new Map<string, Question>();
  #asked = 0;
  #connection: LifeConnection | null = null;
  #daemon: DaemonLife | null = null;

  constructor(nonce: string, heard: (heard: Heard) => void) {
    this.nonce = nonce;
    this.#heard = heard;
  }

  /** A new connection, and everything unanswered asked again on it. */
  connect(daemon: DaemonLife, now_ms: number): void {
    if (this.#connection !== null) this.#connection.isCut = true;
    this.#daemon = daemon;
    const hello = { client: "kills/1", features, nonce: this.nonce, scope: null, token: null };
    const frame = Buffer.from(helloFrame("hello", hello));
    const connection = daemon.connect(lineOf(frame), (heard) => {
      if (connection === this.#connection) this.#hears(heard, connection.session.key ?? "");
    });
    this.#connection = connection;
    for (const [id, { line, attempt, asked_ms }] of [...this.#questions]) {
      if (now_ms - asked_ms <= patience_ms) daemon.take(connection, line);
      else {
        this.#questions.delete(id);
        // Unheard: it may run nothing, and can tell nothing.
        attempt.stage = "over";
      }
    }
  }

  lose(): void {
    if (this.#connection !== null) this.#connection.isCut = true;
  }

  get isAsking(): boolean {
    return this.#questions.size > 0;
  }

  ask(call: ExactCall, call_id: string, now_ms: number): Attempt {
    const attempt = newAttempt(call, call_id);
    this.attempts.push(attempt);
    const event = { action, args: call.args, phase: "call" as const, principal: "agent", call_id };
    this.#put(attempt, (id) => eventFrame(id, event, features), now_ms);
    return attempt;
  }

  /** An approval that it, or a client before it, was told of. */
  resume(attempt: Attempt, now_ms: number): void {
    if (!this.attempts.includes(attempt)) this.attempts.push(attempt);
    attempt.stage = "asking";
    const body = { approval_id: attempt.approval_id ?? "", call_id: attempt.call_id, action };
    this.#put(attempt, (id) => resumeFrame(id, body), now_ms);
  }

  /** The tool has run. */
  tellResult(attempt: Attempt, now_ms: number): void {
    attempt.stage = "telling";
    const { call, call_id } = attempt;
    const event = { action, args: resultOf(call), phase: "result" as const, principal: "agent", call_id };
    this.#put(attempt, (id) => eventFrame(id, event, features), now_ms);
  }

  /** The tool has not run, or has failed without an effect. */
  tellOutcome(attempt: Attempt, status: "failed" | "abandoned", now_ms: number): void {
    attempt.stage = "telling";
    const error_type = status === "failed" ? "RangeError" : null;
    this.#put(attempt, (id) => outcomeFrame(id, { call_id: attempt.call_id, status, error_type }), now_ms);
  }

  #put(attempt: Attempt, frame: (id: string) => string, now_ms: number): void {
    const id = `${++this.#asked}`;
    const line = lineOf(Buffer.from(frame(id)));
    this.#questions.set(id, { line, attempt, asked_ms: now_ms });
    if (this.#connection !== null) this.#daemon?.take(this.#connection, line);
  }

  #hears(frame: string, session: string): void {
    const answer = parseAnswer(Buffer.from(frame), features);
    if (answer.kind === "hello") return;
    const question = this.#questions.get(answer.id);
    if (answer.kind !== "answer") throw new Error(`no decision but ${answer.kind}`);
    if (question === undefined) return;
    this.#questions.delete(answer.id);
    this.#heard({ session, request: answer.id, decision: answer.decision, attempt: question.attempt });
  }
}

/** Without its newline, as the frame reader hands it on. */
const lineOf = (frame: Buffer): Buffer => frame.subarray(0, -1);
