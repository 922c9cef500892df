import type { AppendResult, DecisionRecord, Ledger } from "../ledger/record.ts";
import type { Connection } from "./connection.ts";
import { maxDecisionsInGroup } from "./limits.ts";

/** One decision on its way out: its receipt, and what is said once it is known whether that is durable. */
interface Leaving {
  readonly record: DecisionRecord;
  readonly settled: (result: AppendResult) => void;
}

/**
 * Group commit: every decision of one turn of the event loop shares a store transaction, and no answer of the group
 * leaves before it is durable. What is said without a receipt (errors, hellos) leaves with the group too, so that
 * a peer's answers keep their order.
 */
export class CommitGroup {
  readonly #ledger: Ledger;
  readonly #later: (flush: () => void) => void;
  #leaving: Leaving[] = [];
  readonly #speaking = new Set<Connection>();
  #scheduled = false;
  #onRoom: () => void = () => undefined;

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

  /** @param settled is called in order, in the same turn, before anything is flushed. */
  decide(record: DecisionRecord, settled: (result: AppendResult) => void): void {
    this.#leaving.push({ record, settled });
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

  /** Makes everything decided durable, and lets it leave. */
  flush(): void {
    const leaving = this.#leaving;
    if (leaving.length > 0) {
      this.#leaving = [];
      const results = this.#ledger.append(leaving.map(({ record }) => record));
      for (let i = 0; i < leaving.length; i++) leaving[i]?.settled(results[i] as AppendResult);
    }
    for (const connection of this.#speaking) connection.flush();
    this.#speaking.clear();
    this.#onRoom();
    // An answer that left may have let its peer's next question in.
    this.#scheduled = false;
    if (!this.empty) this.#schedule();
  }

  get empty(): boolean {
    return this.#leaving.length === 0 && this.#speaking.size === 0;
  }

  #afterLast(connection: Connection, frame: string): void {
    const last = this.#leaving.length - 1;
    const { record, settled } = this.#leaving[last] as Leaving;
    this.#leaving[last] = {
      record,
      settled: (result) => {
        settled(result);
        this.speak(connection, frame);
      },
    };
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#later(() => this.flush());
  }
}
