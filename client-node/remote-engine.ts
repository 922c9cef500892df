import { randomBytes } from "node:crypto";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { Delivery } from "./delivery.ts";
import { type EngineSettings, engineSettings, type RemoteEngineOptions } from "./engine-options.ts";
import { type EngineStats, Tally } from "./engine-stats.ts";
import { eventFrame } from "./event-frame.ts";
import { guardOf, type Installation } from "./intercept/installed.ts";
import { rememberEngine } from "./known-engines.ts";
import { Question } from "./question.ts";
import { notPutToGuard, tooManyWaiting } from "./reasons.ts";
import { type EventFields, sensorEvent, type UncheckedEvent } from "./sensor-event.ts";

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
    this.#delivery = new Delivery(path, { nonce, token: this.#settings.token }, this.#settings, this.#tally);
  }

  /** Calls that `unreachable: "allow"` let through. */
  get fallbacks(): number {
    return this.#tally.fallbacks;
  }

  get stats(): EngineStats {
    return this.#tally.report(this.#delivery.pending, this.#delivery.waiting, this.#delivery.terms);
  }

  /** Never throws at once: a refusal is a rejected promise. */
  evaluate(fields: EventFields): Promise<Decision> {
    const event = sensorEvent(fields);
    const guard = guardOf(this.path);
    if (guard !== null) return this.#throughGuard(guard, event);
    const delivery = this.#delivery;
    const { features } = delivery;
    const id = this.#idPrefix + ++this.#count;
    let frame: string;
    try {
      // Before anything is awaited: what is judged is what the arguments are at this moment.
      frame = eventFrame(id, event, this.#settings.principal, features);
    } catch (error) {
      return this.#refuse(event.action, notPutToGuard(event.action, event.phase, error));
    }
    if (delivery.isFull) return this.#refuse(event.action, tooManyWaiting(delivery.waiting));
    return new Promise((resolve, reject) => {
      delivery.accept(
        new Question(id, event.action, event.phase, frame, features, delivery.deadline_ms(), resolve, reject),
      );
    });
  }

  /** In a guarded process the daemon is spoken to by the guard alone. */
  async #throughGuard(guard: Installation, event: UncheckedEvent): Promise<Decision> {
    const { replaces_args, ...decision } = await guard.evaluate({
      ...event,
      principal: event.principal ?? this.#settings.principal,
    });
    return new Decision(decision, replaces_args);
  }

  /** Resolves when every question has its answer and the connection is closed. A later question opens another. */
  close(): Promise<void> {
    return this.#delivery.close();
  }

  /** Refused here, before anything was sent. */
  #refuse(action: string, reason: string): Promise<never> {
    this.#tally.local++;
    return Promise.reject(new BlockedError(Decision.block(reason), action));
  }
}
