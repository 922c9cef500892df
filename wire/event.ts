import type { Grade } from "./grade.ts";
import type { NamedServer } from "./surface-body.ts";
import type { JsonObject, WireObject } from "./value.ts";

/** `call` is before the effect, `result` after it. */
export type Phase = "call" | "result";

/** One call or one result put to the daemon. Field names are the wire's. */
export interface SensorEvent {
  /** Tool, function or namespaced effect (`refund`, `fs.readFile`). Never empty. */
  readonly action: string;
  /** Arguments of a call; on a result event the result (`{result: value}` where it is not an object). */
  readonly args: WireObject;
  readonly phase: Phase;
  /** Who acts, as the client says: a claim until the daemon binds identity to the connection. */
  readonly principal: string | null;
  readonly span_id: string | null;
  readonly parent_principal: string | null;
  /** Seconds since the epoch by the client's clock; null where it sent none. Never used to judge. */
  readonly ts: number | null;
  /** Shared by the call, its result and its resume. Negotiated (`call_id`); null without. */
  readonly call_id: string | null;
}

/** An event off the wire, with the JSON it was read from: what a commitment is made over. */
export interface ReceivedEvent {
  readonly event: SensorEvent;
  readonly argsJson: JsonObject;
  /** How the client says it intercepts; null where it did not say. Never used to judge. */
  readonly grade: Grade | null;
  /** The MCP server whose tool it is, as the client names it; null for what is no server's. */
  readonly server: NamedServer | null;
}
