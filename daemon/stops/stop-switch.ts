import type { ReasonCode } from "../engine/reason-codes.ts";
import type { StopRow } from "../store/stop-rows.ts";
import type { StopFile } from "./stop-file.ts";

/** Why everything is blocked. */
export interface StopBlock {
  readonly code: Extract<ReasonCode, "stopped" | "stop_unknown">;
  readonly reason: string;
}

/** What is asked before each call, and once more at the moment at which it would be let run. */
export interface Stopped {
  /** Null while nothing is stopped. */
  readonly block: StopBlock | null;
  /** When this daemon last learned of a new stop, by its own clock: what was allowed until then is not allowed again by asking again. */
  readonly begun_ms: number;
}

/**
 * Whether everything is blocked, as this daemon knows it. Four things do it, each by itself, and each is over only by itself: a stop
 * that stands in the store; one that is not in the store yet; the file; and a store that cannot tell.
 */
export class StopSwitch implements Stopped {
  #standing: ReadonlyMap<string, StopRow> = new Map();
  readonly #unwritten = new Map<string, StopRow>();
  #seen: ReadonlySet<string> = new Set();
  #file: StopFile | null = null;
  #isTold = true;
  #block: StopBlock | null = null;
  #begun_ms = 0;
  readonly #onBegun: () => void;

  /** @param onBegun is called each time that one more begins: whoever waits is told now. */
  constructor(onBegun: () => void) {
    this.#onBegun = onBegun;
  }

  get block(): StopBlock | null {
    return this.#block;
  }

  get begun_ms(): number {
    return this.#begun_ms;
  }

  get standing(): readonly StopRow[] {
    return [...this.#standing.values()];
  }

  /** Begun here, and to be written: oldest first. */
  get unwritten(): readonly StopRow[] {
    return [...this.#unwritten.values()];
  }

  get file(): StopFile | null {
    return this.#file;
  }

  /** It blocks from this moment, whatever becomes of writing it. */
  begins(row: StopRow, now_ms: number): void {
    this.#unwritten.set(row.stop_id, row);
    this.#began(now_ms);
  }

  /** It stands in the store. */
  isWritten(row: StopRow): void {
    this.#unwritten.delete(row.stop_id);
    this.#seen = new Set([...this.#seen, row.stop_id]);
    this.#standing = new Map([...this.#standing, [row.stop_id, row]]);
    this.#judge();
  }

  /** Somebody ended it, in the store. */
  isEnded(stop_id: string): void {
    this.#standing = new Map([...this.#standing].filter(([id]) => id !== stop_id));
    this.#judge();
  }

  /**
   * What the store says: what stands, and what began lately. One that began and ended between two looks is a stop all the same: what
   * was allowed before it is not allowed again by asking again.
   *
   * @returns those that nobody told of before, and those that stand no more.
   */
  told(
    rows: readonly StopRow[],
    now_ms: number,
  ): { readonly begun: readonly StopRow[]; readonly ended: readonly StopRow[] } {
    const before = this.#standing;
    const begun = rows.filter(({ stop_id }) => !this.#seen.has(stop_id));
    this.#seen = new Set(rows.map(({ stop_id }) => stop_id));
    for (const { stop_id } of rows) this.#unwritten.delete(stop_id);
    this.#standing = new Map(rows.filter(({ ended_ms }) => ended_ms === null).map((row) => [row.stop_id, row]));
    this.#isTold = true;
    const ended = [...before.values()].filter(({ stop_id }) => !this.#standing.has(stop_id));
    if (begun.length > 0) this.#began(now_ms);
    else this.#judge();
    return { begun, ended };
  }

  /** The store could not be asked: it may say that everything is stopped. */
  isUntold(now_ms: number): void {
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#began(now_ms);
  }

  /** @returns whether it has come or gone. */
  sees(file: StopFile | null, now_ms: number): boolean {
    const changed = (this.#file === null) !== (file === null);
    this.#file = file;
    if (changed && file !== null) this.#began(now_ms);
    else this.#judge();
    return changed;
  }

  #began(now_ms: number): void {
    this.#begun_ms = Math.max(this.#begun_ms, now_ms);
    this.#judge();
    this.#onBegun();
  }

  #judge(): void {
    if (this.#standing.size > 0 || this.#unwritten.size > 0) this.#block = byOperator;
    else if (this.#file !== null) this.#block = byFile;
    else this.#block = this.#isTold ? null : unknown;
  }
}

const byOperator: StopBlock = Object.freeze({
  code: "stopped",
  reason: "everything is stopped; interlock resume ends it",
});

const byFile: StopBlock = Object.freeze({
  code: "stopped",
  reason: "everything is stopped by the file STOP in the state directory",
});

const unknown: StopBlock = Object.freeze({
  code: "stop_unknown",
  reason: "whether everything is stopped could not be read from the store",
});
