import type { CommitResult, Entry, Ledger } from "../ledger/record.ts";
import type { Maybe } from "../store/steps.ts";
import type { Connection } from "./connection.ts";
import { maxDecisionsInGroup } from "./limits.ts";

/** One decision on its way out: what is to be written, and what is said once it is known whether that is durable. */
interface Leaving {
  readonly entry: Entry;
  readonly settled: (result: CommitResult) => void;
}

/**
 * Group commit: every decision of one turn of the event loop shares a store transaction, and no answer of the group
 * leaves before it is durable. What is said without a receipt (errors, hellos) leaves with the group too, so that
 * a peer's answers keep their order. While a store that answers later has one group, the next one gathers.
 */
export class CommitGroup {
  readonly #ledger: Ledger;
  readonly #later: (flush: () => void) => void;
  #leaving: Leaving[] = [];
  readonly #speaking = new Set<Connection>();
  #scheduled = false;
  /** The group that the store has; null while it has none. */
  #committing: Promise<void> | null = null;
  #onRoom: () => void = () => undefined;
  #onResults: (results: readonly CommitResult[]) => void = () => undefined;

  /** @param later runs a group's flush at the end of the turn; passed in so that a simulation can choose the moment. */
  constructor(ledger: Ledger, later: (flush: () => void) => void = setImmediate) {
    this.#ledger = ledger;
    this.#later = later;
  }

  /** False where the group is as large as one may be: whoever has more to decide waits for the next. */
  get hasRoom(): boolean {
    return this.#leaving.length < maxDecisionsInGroup;
  }

  /** @param listener is called after each flush, when there is room again. */
  onRoom(listener: () => void): void {
    this.#onRoom = listener;
  }

  /** @param listener is told what became of each group, before its answers are made. */
  onResults(listener: (results: readonly CommitResult[]) => void): void {
    this.#onResults = listener;
  }

  /** @param settled is called in order, in the same turn, before anything is flushed. */
  decide(entry: Entry, settled: (result: CommitResult) => void): void {
    this.#leaving.push({ entry, settled });
    this.#schedule();
  }

  /** `frame` leaves after everything that was decided before it. */
  say(connection: Connection, frame: string): void {
    if (this.#leaving.length === 0) this.speak(connection, frame);
    else this.#afterLast(connection, frame);
  }

  /** Called from `settled`: the frame leaves with this flush. */
  speak(connection: Connection, frame: string): void {
    connection.say(frame);
    this.wantsFlush(connection);
  }

  wantsFlush(connection: Connection): void {
    this.#speaking.add(connection);
    this.#schedule();
  }

  /** Makes everything decided durable, and lets it leave: at once on an embedded store. */
  flush(): Maybe<void> {
    if (this.#committing !== null) return this.#committing.then(() => this.flush());
    const leaving = this.#leaving;
    if (leaving.length === 0) return this.#left();
    this.#leaving = [];
    const committed = this.#ledger.commit(leaving.map(({ entry }) => entry));
    if (!(committed instanceof Promise)) return this.#leave(leaving, committed);
    this.#committing = committed
      .catch(() => leaving.map((): CommitResult => unwritten))
      .then((results) => {
        this.#committing = null;
        this.#leave(leaving, results);
      });
    return this.#committing;
  }

  #leave(leaving: readonly Leaving[], results: readonly CommitResult[]): void {
    this.#onResults(results);
    for (let i = 0; i < leaving.length; i++) leaving[i]?.settled(results[i] as CommitResult);
    this.#left();
  }

  #left(): void {
    for (const connection of this.#speaking) connection.flush();
    this.#speaking.clear();
    this.#onRoom();
    // An answer that left may have let its peer's next question in.
    this.#scheduled = false;
    if (!this.empty) this.#schedule();
  }

  get empty(): boolean {
    return this.#leaving.length === 0 && this.#speaking.size === 0 && this.#committing === null;
  }

  #afterLast(connection: Connection, frame: string): void {
    const last = this.#leaving.length - 1;
    const { entry, settled } = this.#leaving[last] as Leaving;
    this.#leaving[last] = {
      entry,
      settled: (result) => {
        settled(result);
        this.speak(connection, frame);
      },
    };
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#later(() => void this.flush());
  }
}

const unwritten: CommitResult = Object.freeze({ outcome: "not_durable", error: "the receipt could not be written" });
