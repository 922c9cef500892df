import { randomBytes } from "node:crypto";
import type { SensorEvent } from "../../wire/event.ts";
import type { Connection } from "./connection.ts";

type Asked = Pick<SensorEvent, "action" | "call_id">;
type Holder = Pick<Connection, "ownIds">;

/**
 * Call ids of transactions that are under way. Most results are of calls that are none, and must not cost a look into the
 * store: this says whose may close something. A hint; the store decides.
 *
 * A version 1 client sends no call id. It asks one thing at a time, so on one connection a result is of the open call of that action,
 * which gets an id of our own. Once two were open together nobody can know whose it is, and on that connection results of that action close
 * nothing: one call's result must not be kept as the other's.
 */
export class OpenCalls {
  /** By call id: the number of the receipt that let the call run; null where it was another engine's. */
  readonly #decided: Map<string, number | null>;
  readonly #prefix = `own-${randomBytes(12).toString("base64url")}-`;
  #count = 0;

  constructor(ids: Iterable<string>) {
    this.#decided = new Map(Array.from(ids, (id) => [id, null]));
  }

  has(call_id: string): boolean {
    return this.#decided.has(call_id);
  }

  /** The id under which a transactional call is known: the client's, or one of ours. */
  idOf({ call_id }: Pick<Asked, "call_id">): string {
    return call_id ?? this.#prefix + ++this.#count;
  }

  /** It may run: a result will close it. */
  opened(id: string, { call_id, action }: Asked, connection: Holder | undefined, seq: number): void {
    this.#decided.set(id, seq);
    if (call_id !== null || connection === undefined) return;
    const before = connection.ownIds.get(action);
    connection.ownIds.set(action, before === undefined || (before !== null && !this.#decided.has(before)) ? id : null);
  }

  /** The number of the receipt that let it run; null where that is not known. */
  decidedOf(id: string): number | null {
    return this.#decided.get(id) ?? null;
  }

  closed(id: string): void {
    this.#decided.delete(id);
  }

  /** The id that a result closes; null where it can close nothing. */
  idOfResult({ call_id, action }: Asked, connection: Holder | undefined): string | null {
    return call_id ?? connection?.ownIds.get(action) ?? null;
  }
}
