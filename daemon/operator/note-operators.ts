import type { Steps } from "../store/steps.ts";
import type { StoreTx } from "../store/transaction-rows.ts";
import type { Note, OperatorPlane } from "./operator-ledger.ts";
import type { OperatorRecord } from "./operators-file.ts";
import { storeOrRefused } from "./store-or-refused.ts";

/** Named in one receipt; of more it says how many. */
const namedAtMost = 50;

/**
 * Writes into the chain who may decide from here on. Whoever changes operators.json does so without the daemon, so it is noted
 * when the daemon first sees it: after a start, and after each change. Throws OperatorRefused.
 */
export const noteOperators = (plane: OperatorPlane, operators: readonly OperatorRecord[]): Promise<void> => {
  const rules = plane.rules();
  const named = operators
    .slice(0, namedAtMost)
    .map(({ name, roles }) => [name, ...roles.map((role) => `+${role}`)].join(" "));
  const more = operators.length > namedAtMost ? ` and ${operators.length - namedAtMost} more` : "";
  const detail = `operators: ${named.join(", ")}${more}`;
  return storeOrRefused(async () => {
    await plane.ledger.change(function* (_tx: StoreTx, note: Note): Steps<void> {
      yield* note({ time_ms: plane.now_ms(), event: "operators_changed", rules, rules_before: rules, detail });
    });
  });
};
