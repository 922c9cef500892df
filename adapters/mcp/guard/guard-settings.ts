import type { GuardOptions } from "../../../client-node/guard-options.ts";
import type { ServerIdentity } from "../../../wire/server-identity.ts";
import type { NamedServer } from "../../../wire/surface-body.ts";

/** How a relay is guarded. */
export interface GuardSettings extends Pick<GuardOptions, "engine" | "principal" | "escalate" | "escalateDeadline_ms"> {
  /** The name by which the server goes, in rules and receipts, and whom the session shows itself as. */
  readonly named: NamedServer;
  /** What runs, as it was resolved here. */
  readonly identity: () => Promise<ServerIdentity | null>;
}
