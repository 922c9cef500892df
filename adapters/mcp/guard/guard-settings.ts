import type { GuardOptions } from "../../../client-node/guard-options.ts";

/** How a relay is guarded. */
export interface GuardSettings extends Pick<GuardOptions, "engine" | "principal" | "escalate" | "escalateDeadline_ms"> {
  /** The name by which the server goes, in rules and receipts; never what it says of itself. */
  readonly server: string;
}
