import type { Maybe } from "../../store/steps.ts";
import type { Outcome } from "../coordination.ts";
import { tellAgain_ms } from "./limits.ts";

/** Whose transactions these are, and where they are told of. */
export interface RecoverySource {
  /** `<boot>|<id>` of all transactions of this daemon that have no outcome in Redis. Rejects while Redis is away. */
  members(): Promise<readonly string[]>;
  ended(transaction_id: string, outcome: Outcome): void;
}

export type OutcomeOf = (transaction_id: string) => Maybe<Outcome | "authorized" | null>;

/**
 * What this daemon held when it was killed. Only transactions of earlier boots are looked at: one of this boot that the
 * store does not know yet may be about to be authorized.
 */
export class Recovery {
  readonly #source: RecoverySource;
  readonly #boot: string;
  #outcomeOf: OutcomeOf | null = null;
  #again: NodeJS.Timeout | null = null;

  constructor(source: RecoverySource, boot: string) {
    this.#source = source;
    this.#boot = boot;
  }

  begin(outcomeOf: OutcomeOf): Promise<void> {
    this.#outcomeOf = outcomeOf;
    return this.run();
  }

  /** Once through, unless it was; what fails is tried again later, since until then those claims are held. */
  async run(): Promise<void> {
    const outcomeOf = this.#outcomeOf;
    if (outcomeOf === null) return;
    this.#outcomeOf = null;
    try {
      for (const member of await this.#source.members()) {
        const bar = member.indexOf("|");
        if (member.slice(0, bar) === this.#boot) continue;
        const transaction_id = member.slice(bar + 1);
        const outcome = await outcomeOf(transaction_id);
        if (outcome !== "authorized") this.#source.ended(transaction_id, outcome ?? { kind: "released" });
      }
    } catch {
      this.#outcomeOf = outcomeOf;
      this.#again ??= setTimeout(() => {
        this.#again = null;
        void this.run();
      }, tellAgain_ms).unref();
    }
  }

  stop(): void {
    this.#outcomeOf = null;
    if (this.#again !== null) clearTimeout(this.#again);
  }
}
