import { randomBytes } from "node:crypto";
import type { OfflineDecision } from "../wire/offline-body.ts";
import type { OutcomeBody } from "../wire/request-bodies.ts";
import { offlineFrame } from "../wire/request-frame.ts";
import type { SurfaceBody } from "../wire/surface-body.ts";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { Delivery } from "./delivery.ts";
import { type EngineSettings, engineSettings, type RemoteEngineOptions } from "./engine-options.ts";
import { type EngineStats, Tally } from "./engine-stats.ts";
import { eventFrame } from "./event-frame.ts";
import { OfflineDesk } from "./fallback/offline-desk.ts";
import { OfflineReport } from "./fallback/report.ts";
import type { ApprovedCall } from "./guard-options.ts";
import { guardOf } from "./intercept/installed.ts";
import { rememberEngine } from "./known-engines.ts";
import { Question, type Subject } from "./question.ts";
import { notPutToGuard, tooManyWaiting } from "./reasons.ts";
import { type EventFields, sensorEvent } from "./sensor-event.ts";
import { outcomeFrame, resumeFrame, surfaceFrame } from "./transaction-frames.ts";

/**
 * Puts events to the daemon on a unix socket. One connection, opened when it is first needed; any number of questions at
 * once. Every failure to get a verdict is a `BlockedError` whose decision is a BLOCK without a policy id.
 */
export class RemoteEngine {
  readonly path: string;
  readonly timeout: number | null;
  readonly #settings: EngineSettings;
  readonly #tally = new Tally();
  readonly #delivery: Delivery;
  readonly #idPrefix = `op-${process.pid}-`;
  #count = 0;

  constructor(path: string, options: RemoteEngineOptions = {}) {
    this.#settings = engineSettings(path, options);
    this.path = path;
    rememberEngine(this, { path, settings: this.#settings });
    this.timeout = this.#settings.timeout;
    // The session under which a question is asked again: the same for as long as this object lives.
    const nonce = randomBytes(32).toString("base64url");
    const { fallback, scope } = this.#settings;
    const greeting = { nonce, scope, tellsOffline: fallback !== null };
    const offline = fallback === null ? null : new OfflineDesk(fallback, path, this.#settings.onFallback);
    const report = offline === null ? null : new OfflineReport(offline.spool, (told) => this.#tell(told), this.#tally);
    this.#delivery = new Delivery(path, greeting, this.#settings, this.#tally, offline, {
      notRun: (callId) => this.#notRun(callId),
      reached: (features) => {
        if (features.offline) void report?.tell();
      },
    });
  }

  /** Calls that were decided without the daemon: let through by `unreachable: "allow"`, or allowed or blocked by the fallback policy. */
  get fallbacks(): number {
    return this.#tally.fallbacks;
  }

  get stats(): EngineStats {
    return this.#tally.report(this.#delivery.pending, this.#delivery.waiting, this.#delivery.terms);
  }

  /** Does the daemon answer a repeat with the recorded result? Until one has said, it is taken to. */
  get replays(): boolean {
    const guard = guardOf(this.path);
    return guard === null ? this.#delivery.features.replay : guard.replays?.() === true;
  }

  /** Never throws at once: a refusal is a rejected promise. */
  evaluate(fields: EventFields): Promise<Decision> {
    const event = sensorEvent(fields);
    const guard = guardOf(this.path);
    if (guard !== null) {
      return ownCopy(() => guard.evaluate({ ...event, principal: event.principal ?? this.#settings.principal }));
    }
    const { features } = this.#delivery;
    // Before anything is awaited: what is judged is what the arguments are at this moment.
    const frameOf = (id: string): string => eventFrame(id, event, this.#settings.principal, features);
    return this.#put(event.action, event.phase, event.phase === "call" ? event.call_id : null, frameOf);
  }

  /**
   * Asks to run an approved call. MODIFY has the whole of the arguments to run it with; ESCALATE says that nobody has approved
   * it yet, BLOCK that it does not run. Where the client itself may approve, asking is saying yes. `action` names what is about
   * to run: an approval of anything else is refused.
   */
  resume(approvalId: string, { callId, action }: ApprovedCall): Promise<Decision> {
    const body = { approval_id: approvalId, call_id: callId, action: action ?? null };
    const guard = guardOf(this.path);
    if (guard !== null) return throughGuard(action ?? "resume", guard.resume?.bind(guard, body));
    return this.#put(action ?? "resume", "resume", callId, (id) => resumeFrame(id, body));
  }

  /** Tells what became of a call that may run and has no result. ALLOW: it is recorded. BLOCK: no such call is under way. */
  outcome(outcome: OutcomeBody): Promise<Decision> {
    const guard = guardOf(this.path);
    if (guard !== null) return throughGuard("outcome", guard.outcome?.bind(guard, outcome));
    return this.#put("outcome", "outcome", null, (id) => outcomeFrame(id, outcome));
  }

  /**
   * Reports what an MCP server lists. ALLOW: nothing of it is held. MODIFY: `modified_result` says what is. BLOCK: the server is refused.
   * Null where the daemon keeps no surfaces: then nothing is held, and no call is judged by one.
   */
  async surface(surface: SurfaceBody): Promise<Decision | null> {
    const guard = guardOf(this.path);
    if (guard !== null) {
      const answer = await guard.surface?.(surface);
      return answer == null ? null : ownCopy(async () => answer);
    }
    try {
      return await this.#put("surface", "surface", null, (id) => surfaceFrame(id, surface));
    } catch (error) {
      // Only a daemon that was reached has said what it does not know.
      if (this.#delivery.terms !== null && !this.#delivery.features.surface) return null;
      throw error;
    }
  }

  #tell(decisions: readonly OfflineDecision[]): Promise<Decision> {
    return this.#put("offline", "offline", null, (id) => offlineFrame(id, { decisions }));
  }

  #notRun(call_id: string): void {
    // What becomes of it is in the stats.
    this.outcome({ call_id, status: "abandoned", error_type: null }).catch(() => {});
  }

  #put(action: string, subject: Subject, callId: string | null, frameOf: (id: string) => string): Promise<Decision> {
    const delivery = this.#delivery;
    const { features } = delivery;
    const id = this.#idPrefix + ++this.#count;
    let frame: string;
    try {
      frame = frameOf(id);
    } catch (error) {
      return this.#refuse(action, subject, notPutToGuard(action, subject, error));
    }
    if (delivery.isFull) return this.#refuse(action, subject, tooManyWaiting(delivery.waiting));
    return new Promise((resolve, reject) => {
      const deadline_ms = delivery.deadline_ms();
      delivery.accept(new Question(id, action, subject, callId, frame, features, deadline_ms, resolve, reject));
    });
  }

  /** Resolves when every question has its answer and the connection is closed. A later question opens another. */
  close(): Promise<void> {
    return this.#delivery.close();
  }

  /** Refused here, before anything was sent. */
  #refuse(action: string, subject: Subject, reason: string): Promise<never> {
    if (subject === "outcome") this.#tally.unreported++;
    else if (subject !== "offline") this.#tally.local++;
    return Promise.reject(new BlockedError(Decision.block(reason), action));
  }
}

/** In a guarded process the daemon is spoken to by the guard alone. An older copy of this package may guard it. */
const throughGuard = (action: string, ask: (() => Promise<Decision>) | undefined): Promise<Decision> =>
  ask === undefined
    ? Promise.reject(new BlockedError(Decision.block("the guard of this process keeps no transactions"), action))
    : ownCopy(ask);

/** The decision of another copy of this package as one of this copy's. */
const ownCopy = async (ask: () => Promise<Decision>): Promise<Decision> => {
  const { replaces_args, ...decision } = await ask();
  return new Decision(decision, replaces_args);
};
