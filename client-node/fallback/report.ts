import { maxOfflineDecisions } from "../../wire/limits.ts";
import type { OfflineDecision } from "../../wire/offline-body.ts";
import { Verdict } from "../../wire/verdict.ts";
import type { Decision } from "../decision.ts";
import type { Tally } from "../engine-stats.ts";
import type { Spool } from "./spool.ts";

/**
 * Tells a daemon that is back what was decided without it. A decision leaves the spool once the daemon has said that it is
 * recorded; told twice, it is recorded once. What goes wrong is tried again with the next connection.
 */
export class OfflineReport {
  readonly #spool: Spool;
  readonly #put: (decisions: readonly OfflineDecision[]) => Promise<Decision>;
  readonly #tally: Tally;
  #isTelling = false;

  constructor(spool: Spool, put: (decisions: readonly OfflineDecision[]) => Promise<Decision>, tally: Tally) {
    this.#spool = spool;
    this.#put = put;
    this.#tally = tally;
  }

  /** Never rejects. */
  async tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      while (await this.#tellSome());
    } catch {
      // They are in the spool yet.
    } finally {
      this.#isTelling = false;
    }
  }

  /** False where there are no more, or they are not recorded. */
  async #tellSome(): Promise<boolean> {
    const decisions = this.#spool.entries(maxOfflineDecisions);
    if (decisions.length === 0) return false;
    const { verdict } = await this.#put(decisions);
    if (verdict !== Verdict.ALLOW) return false;
    this.#spool.remove(decisions);
    this.#tally.fallbacksTold += decisions.length;
    return true;
  }
}
