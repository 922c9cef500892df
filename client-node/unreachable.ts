import type { Absence } from "./absence.ts";
import { Decision } from "./decision.ts";
import type { EngineSettings } from "./engine-options.ts";
import type { OfflineDesk } from "./fallback/offline-desk.ts";
import type { Question } from "./question.ts";
import { allowedUnseen, noVerdict, stoppedBefore } from "./reasons.ts";
import type { Settlement } from "./settlement.ts";

/** What becomes of a question when nobody answered for the whole grace. */
export class Unreachable {
  readonly #path: string;
  readonly #settings: EngineSettings;
  readonly #settlement: Settlement;
  readonly #offline: OfflineDesk | null;

  /** @param offline decides by the fallback policy; null where there is none. */
  constructor(path: string, settings: EngineSettings, settlement: Settlement, offline: OfflineDesk | null) {
    this.#path = path;
    this.#settings = settings;
    this.#settlement = settlement;
    this.#offline = offline;
  }

  /** Only a call that no daemon has seen, while nobody at all is there and nothing had been stopped, may be decided without one. */
  settle(question: Question, absence: Absence): void {
    const reason = noVerdict(this.#path, absence.lastError);
    const isEvent = question.subject === "call" || question.subject === "result";
    const isAbsent = isEvent && !absence.isRestart && !absence.isAnyoneThere && !question.everAsked;
    const { unreachable } = this.#settings;
    if (!isAbsent || unreachable === "deny") this.#settlement.block(question, reason);
    else if (absence.isStopped) this.#settlement.block(question, stoppedBefore(reason));
    else if (unreachable === "allow") this.#allow(question, reason);
    else this.#degraded(question, reason);
  }

  #allow(question: Question, reason: string): void {
    if (this.#isTold(allowedUnseen(question.action, reason))) {
      this.#settlement.fallBack(question, Decision.allow(reason));
    } else this.#settlement.block(question, `${reason}; and \`onFallback\` threw`);
  }

  #degraded(question: Question, reason: string): void {
    const offline = this.#offline?.decide(question, reason) ?? { decision: null, refusal: Decision.block(reason) };
    if (offline.decision === null) this.#settlement.refuse(question, offline.refusal);
    else this.#settlement.fallBack(question, offline.decision);
  }

  #isTold(message: string): boolean {
    try {
      this.#settings.onFallback(message);
      return true;
    } catch {
      return false;
    }
  }
}
