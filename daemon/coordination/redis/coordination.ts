import { randomBytes } from "node:crypto";
import type { Maybe } from "../../store/steps.ts";
import type { Intent, Settled } from "../../transactions/plan.ts";
import type { Coordination, Entry, Outcome, Ticket } from "../coordination.ts";
import type { Connection } from "./connection.ts";
import { entryFrom } from "./entry.ts";
import { enterTimeout_ms, farewell_ms } from "./limits.ts";
import type { OwedOutcomes } from "./owed.ts";
import { type OutcomeOf, Recovery } from "./recovery.ts";
import type { SharedResults } from "./results.ts";
import { enterScript, noteTokenScript } from "./scripts.ts";

const unavailable: Entry = Object.freeze({ kind: "unavailable" });

export interface Parts {
  readonly connection: Connection;
  readonly owed: OwedOutcomes;
  readonly results: SharedResults;
  readonly owner: string;
}

/** Claims and limits in a Redis that several daemons share. */
export class RedisCoordination implements Coordination {
  readonly #connection: Connection;
  readonly #owed: OwedOutcomes;
  readonly #results: SharedResults;
  readonly #owner: string;
  readonly #listeners = new Set<(transaction_id: string | null) => void>();
  /** This run of the daemon: what is left of an earlier one is told from what is under way. */
  readonly #boot = randomBytes(8).toString("hex");
  readonly #recovery: Recovery;

  constructor({ connection, owed, results, owner }: Parts) {
    this.#connection = connection;
    this.#owed = owed;
    this.#results = results;
    this.#owner = owner;
    const members = () => connection.members(`owner:${owner}`);
    this.#recovery = new Recovery({ members, ended: (id, outcome) => this.closed(id, outcome) }, this.#boot);
  }

  /** Redis may be used again: what it missed is told, and whoever waits looks again, since news was missed here too. */
  isBack(): void {
    this.#owed.tellAll();
    void this.#recovery.run();
    this.ended(null);
  }

  ended(transaction_id: string | null): void {
    for (const listener of this.#listeners) listener(transaction_id);
  }

  /** While a call that Redis left without an answer is not given back, nothing else is asked: its answer comes first. */
  get isReady(): boolean {
    return this.#connection.ready && !this.#owed.doubtful;
  }

  enter(intent: Intent): Maybe<Entry> {
    const ticket = Object.freeze({ transaction_id: intent.transaction_id, claim_key: intent.claim?.key ?? null });
    if (intent.claim === null && intent.limits.length === 0) return { kind: "entered", ticket };
    if (!this.isReady) return unavailable;
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

  /** Past `enterTimeout_ms` nobody can say. A note that was taken all the same stands: its token is worth nothing, and needs no mending. */
  noteToken(digest: string, keep_ms: number): Maybe<boolean | null> {
    if (!this.#connection.ready) return null;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), enterTimeout_ms);
      this.#connection
        .run(noteTokenScript, [digest, String(Math.ceil(keep_ms))])
        .then((said) => (said === 1 ? true : said === 0 ? false : null))
        .catch(() => null)
        .then((first) => {
          clearTimeout(timer);
          resolve(first);
        });
    });
  }

  onEnded(listener: (transaction_id: string | null) => void): void {
    this.#listeners.add(listener);
  }

  recover(outcomeOf: OutcomeOf): Promise<void> {
    return this.#recovery.begin(outcomeOf);
  }

  async close(): Promise<void> {
    this.#recovery.stop();
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
      // An answer that came while this thread was busy is read before the call is given up for one that did not.
      const timer = setTimeout(() => setImmediate(answer, null), enterTimeout_ms);
      this.#connection.run(enterScript, argumentsOf(intent, this.#owner, this.#boot)).then(
        (said) => answer(entryFrom(said, intent, ticket, this.#results)),
        () => answer(null),
      );
    });
  }
}

const argumentsOf = ({ transaction_id, claim, effect, lease_ms, limits }: Intent, owner: string, boot: string) => [
  transaction_id,
  owner,
  boot,
  claim?.key ?? "",
  claim?.content ?? "",
  effect,
  String(Math.ceil(lease_ms)),
  String(Math.ceil(claim?.window_ms ?? 0)),
  ...limits.flatMap(({ counter, window_ms, max, amount, members }) => [
    counter,
    String(Math.ceil(window_ms)),
    String(max),
    String(amount),
    members?.join(",") ?? "",
  ]),
];
