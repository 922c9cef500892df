import type { StopFile } from "../stops/stop-file.ts";
import type { StopRow } from "../store/stop-rows.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import { OperatorRefused } from "./refusal.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** What stands: in the store, in this daemon alone while the store is away, and as a file. */
export interface StopsView {
  readonly stops: readonly StopView[];
  readonly file: StopFile | null;
}

export interface StopView extends StopRow {
  /** False while only this daemon knows of it. */
  readonly is_written: boolean;
}

/** What operators do about stops. Everything throws OperatorRefused. */
export class StopService {
  readonly #plane: OperatorPlane;

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  list(): StopsView {
    const { standing, unwritten, file } = this.#plane.stops.state;
    const stops = [...standing.map(viewOf(true)), ...unwritten.map(viewOf(false))];
    return { stops, file };
  }

  /** It blocks before this answers. Where the store is away it blocks this daemon alone, and the list says so. */
  async begin({ name }: Operator, reason: string): Promise<StopView> {
    const before = new Set(this.list().stops.map(({ stop_id }) => stop_id));
    try {
      return viewOf(true)(await storeOrRefused(() => this.#plane.stops.begin(`operator:${name}`, reason)));
    } catch (error) {
      const begun = this.list().stops.find(({ stop_id }) => !before.has(stop_id));
      if (!(error instanceof OperatorRefused) || begun === undefined) throw error;
      return begun;
    }
  }

  /** One, or all that stand in the store; a file is taken away by whoever put it there. */
  async end({ name }: Operator, stop_id: string | null, reason: string): Promise<readonly StopView[]> {
    const ended = await storeOrRefused(() => this.#plane.stops.end(stop_id, `operator:${name}`, reason));
    if (ended.length === 0 && stop_id !== null) throw new OperatorRefused("not_stopped");
    return ended.map(viewOf(true));
  }
}

const viewOf =
  (is_written: boolean) =>
  (row: StopRow): StopView => ({ ...row, is_written });
