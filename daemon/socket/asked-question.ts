import type { ReceivedEvent } from "../../wire/event.ts";
import type { EngineState } from "../engine/judge.ts";
import type { Judgement } from "../engine/judgement.ts";
import type { Acting } from "../identity/acting.ts";
import type { CallBehaviour } from "../surfaces/runtime/call-behaviour.ts";
import type { Plan, ResumeOf } from "../transactions/plan.ts";
import type { Connection } from "./connection.ts";
import type { PendingQuestion, Session } from "./session.ts";

/** What was asked, as it came or as it was made of a resume. */
export interface Asking {
  readonly line: Uint8Array;
  /** The line of the event that is judged: what the watchdog reads. `line` itself, but for a resume. */
  readonly judgedLine: Uint8Array;
  readonly id: string;
  /** The event names who acts, also where its client did not. */
  readonly received: ReceivedEvent;
  readonly acting: Acting;
  readonly argsCanonical: string;
  readonly resume: ResumeOf | null;
  /** Decided without the engine: what is to be settled, and what is answered then. */
  readonly fixed: { readonly judged: Judgement; readonly plan: Plan | null } | null;
}

/** One question from its line to its answer. */
export class AskedQuestion implements PendingQuestion {
  readonly askers: Connection[];
  readonly session: Session;
  readonly line: Uint8Array;
  readonly asking: Asking;
  /** When it was asked, by a clock that may have been set back since. */
  asked_ms: number;
  /** By what it is judged: set anew each time that it is. */
  state!: EngineState;
  /** What its tool did so far: set anew each time that it is judged. */
  behaviour: CallBehaviour | null = null;
  /** When it is judged. */
  time_ms: number;

  constructor(connection: Connection, asking: Asking, now_ms: number) {
    this.askers = [connection];
    this.session = connection.session;
    this.line = asking.line;
    this.asking = asking;
    this.asked_ms = now_ms;
    this.time_ms = now_ms;
  }
}
