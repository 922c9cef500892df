import type { OpenLedger } from "../ledger/record.ts";
import { type Maybe, runSteps, type Steps, step } from "../store/steps.ts";
import { argsPlace } from "./places.ts";
import type { ApprovedCalls, ShownCall } from "./shown-call.ts";

/** Reads what was sealed with an approval. What does not open is no call. */
export const approvedCalls = (ledger: Pick<OpenLedger, "reads" | "openBox">): ApprovedCalls => ({
  find: (approval_id: string, now_ms: number): Maybe<ShownCall | "gone" | null> =>
    runSteps(find(ledger, approval_id, now_ms)),
});

function* find(
  ledger: Pick<OpenLedger, "reads" | "openBox">,
  approval_id: string,
  now_ms: number,
): Steps<ShownCall | "gone" | null> {
  const row = yield* step(ledger.reads.findApproval(approval_id));
  if (row === null) return null;
  const shown = yield* step(ledger.openBox(argsPlace(approval_id), now_ms));
  return shown === null ? "gone" : (JSON.parse(shown) as ShownCall);
}
