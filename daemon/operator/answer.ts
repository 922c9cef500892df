import { canonical } from "../../wire/canonical.ts";
import { WireError } from "../../wire/errors.ts";
import { closeFrame } from "../../wire/frame.ts";
import type { ApprovalView } from "./approval-view.ts";
import { type OperatorErrorCode, OperatorRefused } from "./refusal.ts";

/** What a watcher is told: a request is new or changed; it still watches, and whether the store can be read. */
export type Watched =
  | { readonly kind: "approval"; readonly approval: ApprovalView }
  | { readonly kind: "beat"; readonly store: "ok" | "unavailable" };

const overrun = "the answer exceeded the frame limit";

/** `{answer, id, v}`: canonical JSON and a newline. Throws `too_large`. */
export const operatorAnswer = (id: string, answer: object): string =>
  closeFrame(canonical({ answer, id, v: 1 }), overrun, id);

/** `{id, v, watch}`, any number of times after the answer to `approvals.watch`, with its id. */
export const watchFrame = (id: string, watch: Watched): string =>
  closeFrame(canonical({ id, v: 1, watch }), overrun, id);

/** `{error: {code, message}, id, v}`: nothing was changed. */
export const operatorError = (id: string, code: OperatorErrorCode, message: string): string =>
  closeFrame(canonical({ error: { code, message }, id, v: 1 }), overrun, id);

/** What is not one of ours is not described: its message may hold anything. */
export const operatorErrorOf = (id: string, error: unknown): string => {
  if (error instanceof OperatorRefused || error instanceof WireError) {
    return operatorError(id, error.code, error.message);
  }
  return operatorError(id, "internal", "the daemon failed in a way that it does not describe; look at its log");
};
