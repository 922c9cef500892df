import type { PolicyDefinition } from "interlock/contracts";
import { asksOver, closedList, highest, lockedSetting } from "../scenarios/arguments.ts";

const ceiling: PolicyDefinition = {
  id: "refund.ceiling",
  tools: ["refund_invoice"],
  when: { amount: { gt: highest } },
  then: "deny",
  reason: "no refund is as large as that",
};

/** A person says yes first. */
const large: PolicyDefinition = {
  id: "refund.approval",
  tools: ["refund_invoice"],
  when: { amount: { gt: asksOver } },
  then: "require_approval",
  approval: { by: "operator" },
  reason: "a person says yes to a refund of this size",
};

const locked: PolicyDefinition = {
  id: "account.locked",
  tools: ["change_account"],
  // A call without a setting is the contract's to refuse.
  when: { setting: { in: [lockedSetting], normalize: "casefold_trim", missing: "no_match" } },
  then: "deny",
  reason: "no agent changes where money is paid out",
};

const closed: PolicyDefinition = {
  id: "message.closed-list",
  tools: ["send_message"],
  when: { to: { in: [closedList], normalize: "casefold_trim", missing: "no_match" } },
  then: "deny",
  reason: "no agent writes to everyone",
};

export const policies: readonly PolicyDefinition[] = [ceiling, large, locked, closed];

/** Two tenants, each with an agent. */
export const principals = {
  "north/agent": { tenant: "north" },
  "south/agent": { tenant: "south" },
};
