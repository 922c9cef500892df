import { type PruneBound, pruneStep } from "../ledger/pruning/prune.ts";
import type { OperatorPlane } from "./operator-ledger.ts";
import type { Operator } from "./register.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** What operators do about receipts that are not needed any more. Everything throws OperatorRefused; then nothing was changed. */
export class RetentionService {
  readonly #plane: OperatorPlane;

  constructor(plane: OperatorPlane) {
    this.#plane = plane;
  }

  /** One step of it: through which receipt, or null where nothing more is to be pruned. Whoever asks, asks again. */
  prune(operator: Operator, bound: PruneBound): Promise<number | null> {
    const { ledger, rules, now_ms } = this.#plane;
    const order = { bound, by: `operator:${operator.name}`, rules: rules(), now_ms: now_ms() };
    return storeOrRefused(() => pruneStep(ledger, order));
  }
}
