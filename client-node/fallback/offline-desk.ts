import { Buffer } from "node:buffer";
import { parseRequest } from "../../wire/request.ts";
import { Verdict } from "../../wire/verdict.ts";
import { Decision } from "../decision.ts";
import { errorName } from "../error-name.ts";
import { oneLine } from "../one-line.ts";
import type { Question } from "../question.ts";
import { decidedOffline, toldOffline } from "../reasons.ts";
import { DegradedMode, type FallbackPlaces } from "./degraded.ts";
import { FallbackRefused } from "./refusal.ts";
import type { Spool } from "./spool.ts";

/** Either what the policy says, or why nothing is said: then the call is blocked, also where verdicts are only watched. */
export type OfflineAnswer =
  | { readonly decision: Decision; readonly refusal: null }
  | { readonly decision: null; readonly refusal: Decision };

/** Answers a question that no daemon could be asked: decided, noted for the daemon, told to whoever watches, and only then acted on. */
export class OfflineDesk {
  readonly #mode: DegradedMode;
  readonly #onFallback: (message: string) => void;

  constructor(places: FallbackPlaces, socketPath: string, onFallback: (message: string) => void) {
    this.#mode = new DegradedMode(places, socketPath);
    this.#onFallback = onFallback;
  }

  get spool(): Spool {
    return this.#mode.spool;
  }

  /** `absence`: why nobody could be asked. Never throws. */
  decide(question: Question, absence: string): OfflineAnswer {
    try {
      // The frame holds what the arguments were when the question was put.
      const request = parseRequest(Buffer.from(question.frame), question.features);
      if (request.kind !== "event") return refused("fallback_failed", absence);
      const decided = this.#mode.decide(request);
      const reason = decidedOffline(decided, absence);
      this.spool.add(decided);
      if (!this.#isTold(toldOffline(question.action, reason))) {
        this.spool.remove([decided]);
        return refused("fallback_failed", `${absence}; and \`onFallback\` threw`);
      }
      const verdict = Verdict[decided.verdict];
      const policy_id = decided.rule === null ? null : `fallback:${decided.rule}`;
      return { decision: new Decision({ verdict, reason, policy_id, details: detailsOf(offlineCode) }), refusal: null };
    } catch (error) {
      if (error instanceof FallbackRefused) return refused(error.code, `${error.message}; ${absence}`);
      return refused("fallback_failed", `the fallback policy could not be asked: ${errorName(error)}; ${absence}`);
    }
  }

  #isTold(message: string): boolean {
    try {
      this.#onFallback(message);
      return true;
    } catch {
      return false;
    }
  }
}

/** The code of what was decided so, here and in the daemon's receipt of it. */
const offlineCode = "decided_offline";

const detailsOf = (code: string): Decision["details"] =>
  Object.freeze({ code, approval_id: null, transaction_id: null, errors: Object.freeze([]), replayed: false });

const refused = (code: string, reason: string): OfflineAnswer => ({
  decision: null,
  refusal: new Decision({ verdict: Verdict.BLOCK, reason: oneLine(reason), details: detailsOf(code) }),
});
