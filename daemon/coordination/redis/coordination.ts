import type { Maybe } from "../../store/steps.ts";
import type { Intent, Settled } from "../../transactions/plan.ts";
import type { Coordination, Entry, Outcome, Ticket } from "../coordination.ts";
import type { Connection } from "./connection.ts";
import { entryFrom } from "./entry.ts";
import { enterTimeout_ms, farewell_ms } from "./limits.ts";
import type { OwedOutcomes } from "./owed.ts";
import type { SharedResults } from "./results.ts";
import { enterScript } from "./scripts.ts";

const unavailable: Entry = Object.freeze({ kind: "unavailable" });

/** Claims and limits in a Redis that several daemons share. */
export class RedisCoordination implements Coordination {
  readonly #connection: Connection;
  readonly #owed: OwedOutcomes;
  readonly #results: SharedResults;
  readonly #owner: string;
  readonly #listeners: Set<(claim_key: string | null) => void>;

  constructor(
    connection: Connection,
    owed: OwedOutcomes,
    results: SharedResults,
    owner: string,
    listeners: Set<(claim_key: string | null) => void>,
  ) {
    this.#connection = connection;
    this.#owed = owed;
    this.#results = results;
    this.#owner = owner;
    this.#listeners = listeners;
  }

  get state(): "ready" | "away" {
    return this.#answers ? "ready" : "away";
  }

  /** While a call that Redis left without an answer is not given back, nothing else is asked: its answer comes first. */
  get #answers(): boolean {
    return this.#connection.ready && !this.#owed.doubtful;
  }

  enter(intent: Intent): Maybe<Entry> {
    const ticket = Object.freeze({ transaction_id: intent.transaction_id, claim_key: intent.claim?.key ?? null });
    if (intent.claim === null && intent.limits.length === 0) return { kind: "entered", ticket };
    if (!this.#answers) return unavailable;
    return this.#ask(intent, ticket);
  }

  leave(ticket: Ticket, settled: Settled | null): void {
    if (settled?.kind === "authorized") return;
    this.#owed.add(ticket.transaction_id, { outcome: "released", result: "", givenUp: false });
  }

  closed(transaction_id: string, outcome: Outcome): void {
    const result =
      outcome.kind === "executed" && outcome.result !== null ? this.#results.seal(transaction_id, outcome.result) : "";
    this.#owed.add(transaction_id, { outcome: outcome.kind, result, givenUp: false });
  }

  onEnded(listener: (claim_key: string | null) => void): void {
    this.#listeners.add(listener);
  }

  async recover(outcomeOf: (transaction_id: string) => Maybe<Outcome | "authorized" | null>): Promise<void> {
    for (const transaction_id of await this.#connection.members(`owner:${this.#owner}`)) {
      const outcome = await outcomeOf(transaction_id);
      if (outcome !== "authorized") this.closed(transaction_id, outcome ?? { kind: "released" });
    }
  }

  async close(): Promise<void> {
    await this.#owed.settled(this.#connection.ready ? farewell_ms : 0);
    this.#owed.stop();
    this.#connection.close();
  }

  /** Blocked after `enterTimeout_ms`. What an answer that never came has taken is given back, whenever that can be. */
  #ask(intent: Intent, ticket: Ticket): Promise<Entry> {
    return new Promise((resolve) => {
      let isOver = false;
      const answer = (entry: Entry | null): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (entry === null) {
          this.#owed.add(intent.transaction_id, { outcome: "released", result: "", givenUp: true });
        }
        resolve(entry ?? unavailable);
      };
      const timer = setTimeout(answer, enterTimeout_ms, null);
      this.#connection.run(enterScript, argumentsOf(intent, this.#owner)).then(
        (said) => answer(entryFrom(said, intent, ticket, this.#results)),
        () => answer(null),
      );
    });
  }
}

const argumentsOf = ({ transaction_id, claim, effect, lease_ms, limits }: Intent, owner: string) => [
  transaction_id,
  owner,
  claim?.key ?? "",
  claim?.content ?? "",
  effect,
  String(Math.ceil(lease_ms)),
  String(Math.ceil(claim?.window_ms ?? 0)),
  ...limits.flatMap(({ counter, window_ms, max, amount }) => [
    counter,
    String(Math.ceil(window_ms)),
    String(max),
    String(amount),
  ]),
];
