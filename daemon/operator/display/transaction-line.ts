import type { TransactionView } from "../transaction-service.ts";
import { quotedText, safeName } from "./safe-text.ts";
import { isoText } from "./time-text.ts";

/** One line: what ran or did not, for whom, and what it hangs together with. */
export const transactionLine = (view: TransactionView): string => {
  const who = view.principal === null ? "nobody named" : quotedText(view.principal);
  const parts = [`${view.transaction_id} ${view.status}: ${safeName(view.action)} (${view.effect}) for ${who}`];
  if (view.call_id !== null) parts.push(`call ${quotedText(view.call_id)}`);
  if (view.approval_id !== null) parts.push(`approval ${view.approval_id}`);
  if (view.resumed_from !== null) parts.push(`resumes ${view.resumed_from}`);
  if (view.resumed_by !== null) parts.push(`resumed by ${view.resumed_by}`);
  if (view.error_type !== null) parts.push(`error ${safeName(view.error_type)}`);
  parts.push(view.status === "authorized" ? `until ${isoText(view.lease_until_ms)}` : isoText(view.changed_ms));
  return parts.join("; ");
};
