import type { ControlRecord, OpenLedger } from "../ledger/record.ts";
import { StoreFailed } from "../store/refused.ts";
import { type Steps, step } from "../store/steps.ts";
import type { StopRow } from "../store/stop-rows.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import { newStopId } from "../transactions/ids.ts";
import { lookAtStopFile, type StopFile } from "./stop-file.ts";
import { StopSwitch } from "./stop-switch.ts";

/** How far back a look goes: longer than an answer is kept for a resend, so that no stop in between is missed. */
const lookBack_ms = 120_000;

type StopLedger = Pick<OpenLedger, "change" | "appendControl"> & { readonly reads: Pick<OpenLedger["reads"], "stops"> };

export interface StopsTerms {
  readonly ledger: StopLedger;
  readonly now_ms: () => number;
  /** Digest of the rules in force. */
  readonly rules: () => string;
  readonly stopFile: string;
  readonly log: (line: string) => void;
  /** Called each time that one more stop begins. */
  readonly onBegun: () => void;
}

/** Begins and ends stops, and keeps the switch at what the store and the file say. Each is in the chain: who, when and why. */
export class Stops {
  readonly #terms: StopsTerms;
  readonly state: StopSwitch;

  constructor(terms: StopsTerms) {
    this.#terms = terms;
    this.state = new StopSwitch(terms.onBegun);
  }

  /** What stands when the daemon starts: before it serves anybody. Throws StoreFailed. */
  async open(): Promise<void> {
    await this.look();
    await this.lookAtFile();
  }

  /** Blocks everything from this moment. Throws StoreFailed where it is not written yet: it blocks here all the same, and is tried again. */
  async begin(by: string, reason: string): Promise<StopRow> {
    const now_ms = this.#terms.now_ms();
    const row: StopRow = Object.freeze({
      stop_id: newStopId(now_ms),
      begun_ms: now_ms,
      begun_by: by,
      reason,
      ended_ms: null,
      ended_by: null,
      end_reason: null,
    });
    this.state.begins(row, now_ms);
    await this.#write(row);
    return row;
  }

  /** Ends this one, or all that stand. Each is ended for itself; what stands besides blocks on. Throws StoreFailed: then none was. */
  async end(stop_id: string | null, by: string, reason: string): Promise<readonly StopRow[]> {
    await this.retry();
    const { ledger, now_ms } = this.#terms;
    const at_ms = now_ms();
    const ended = await ledger.change(
      function* (this: Stops, tx: StoreTx, note: (record: ControlRecord) => Steps<void>): Steps<readonly StopRow[]> {
        const all = (yield* step(tx.stops(at_ms))).filter(({ ended_ms }) => ended_ms === null);
        const rows: StopRow[] = [];
        for (const row of all) {
          if (stop_id !== null && row.stop_id !== stop_id) continue;
          if (!(yield* step(tx.endStop(row.stop_id, { at_ms, by, reason })))) continue;
          yield* note(this.#note("stop_ended", `${row.stop_id} by ${by}: ${reason}`));
          rows.push({ ...row, ended_ms: at_ms, ended_by: by, end_reason: reason });
        }
        return rows;
      }.bind(this),
    );
    for (const { stop_id: id } of ended) this.state.isEnded(id);
    return ended;
  }

  /** Writes what a store that was away did not take. Throws StoreFailed. */
  async retry(): Promise<void> {
    for (const row of this.state.unwritten) await this.#write(row);
  }

  /** Asks the store, and notes what others began or ended. Throws StoreFailed. */
  async look(): Promise<void> {
    const { ledger, now_ms } = this.#terms;
    const rows = await ledger.reads.stops(now_ms() - lookBack_ms);
    const { begun, ended } = this.state.told(rows, now_ms());
    for (const row of begun) {
      if (row.ended_ms === null) await this.#tell("stop_begun", `${row.stop_id} by ${row.begun_by}: ${row.reason}`);
    }
    for (const { stop_id } of ended) {
      const row = rows.find((one) => one.stop_id === stop_id);
      await this.#tell("stop_ended", `${stop_id} by ${row?.ended_by ?? "somebody"}: ${row?.end_reason ?? ""}`);
    }
  }

  async lookAtFile(): Promise<void> {
    const { stopFile, now_ms } = this.#terms;
    const file = lookAtStopFile(stopFile);
    if (!this.state.sees(file, now_ms())) return;
    if (file === null) await this.#tell("stop_ended", "the file STOP is gone");
    else await this.#tell("stop_begun", fileLine(file));
  }

  async #write(row: StopRow): Promise<void> {
    const detail = `${row.stop_id} by ${row.begun_by}: ${row.reason}`;
    await this.#terms.ledger.change(
      function* (this: Stops, tx: StoreTx, note: (record: ControlRecord) => Steps<void>): Steps<void> {
        yield* step(tx.beginStop(row));
        yield* note(this.#note("stop_begun", detail));
      }.bind(this),
    );
    this.state.isWritten(row);
    this.#terms.log(`everything is stopped: ${detail}`);
  }

  /** What is so already, and not by this daemon's doing. A ledger that cannot be written blocks everything by itself. */
  async #tell(event: "stop_begun" | "stop_ended", detail: string): Promise<void> {
    this.#terms.log(event === "stop_begun" ? `everything is stopped: ${detail}` : `a stop has ended: ${detail}`);
    const result = await this.#terms.ledger.appendControl(this.#note(event, detail));
    if (!result.durable) throw new StoreFailed(result.error);
  }

  #note(event: "stop_begun" | "stop_ended", detail: string): ControlRecord {
    const rules = this.#terms.rules();
    return { time_ms: this.#terms.now_ms(), event, rules, rules_before: rules, detail };
  }
}

const fileLine = ({ uid, since_ms, reason }: StopFile): string => {
  const who = uid === null ? "nobody known" : `uid ${uid}`;
  const since = since_ms === null ? "" : `, since ${new Date(since_ms).toISOString()}`;
  return `the file STOP of ${who}${since}${reason === "" ? "" : `: ${reason}`}`;
};
