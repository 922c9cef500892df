import type { NamedServer } from "../../wire/surface-body.ts";
import type { JsonObject } from "../../wire/value.ts";
import type { Maybe } from "../store/steps.ts";

/** A call as it will run if it is approved, and as a person is shown it: what is sealed with the approval. */
export interface ShownCall {
  readonly action: string;
  readonly args: JsonObject;
  readonly principal: string | null;
  readonly parent_principal: string | null;
  /** Arguments whose values a person is not shown, by path, as the contract said when it was asked. */
  readonly redact: readonly string[];
  /** The MCP server whose tool it is. Left out where it is none's. */
  readonly server?: NamedServer;
}

/** The call that an approval is for: null where there is no such approval, `gone` where the call is no longer kept. */
export interface ApprovedCalls {
  find(approval_id: string, now_ms: number): Maybe<ShownCall | "gone" | null>;
}
