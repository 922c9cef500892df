import type { DatabaseRows } from "../page.ts";
import type { ClaimRow } from "../transaction-rows.ts";

/** A call's claim is looked up where it is judged and again where it is settled, a moment later. */
const mostRemembered = 256;

/** The database's rows, with what it said of claims remembered until the next write to it. There is one writer: this one. */
export class RememberedClaims implements DatabaseRows {
  readonly #rows: DatabaseRows;
  readonly #claims = new Map<string, ClaimRow | null>();

  constructor(rows: DatabaseRows) {
    this.#rows = rows;
  }

  findClaim(key: string): ClaimRow | null {
    const remembered = this.#claims.get(key);
    if (remembered !== undefined) return remembered;
    const claim = this.#rows.findClaim(key);
    if (this.#claims.size >= mostRemembered) this.#claims.clear();
    this.#claims.set(key, claim);
    return claim;
  }

  /** To be called before every write. */
  forget(): void {
    this.#claims.clear();
  }

  findTransaction(transaction_id: string) {
    return this.#rows.findTransaction(transaction_id);
  }

  openTransaction(call_id: string) {
    return this.#rows.openTransaction(call_id);
  }

  findBox(place: string, now_ms: number) {
    return this.#rows.findBox(place, now_ms);
  }

  spent(counter: string, since_ms: number) {
    return this.#rows.spent(counter, since_ms);
  }
}
