import { canonical, canonicalJson, quote } from "./canonical.ts";
import { encodeValue } from "./encode-value.ts";
import { Unrepresentable } from "./errors.ts";
import type { Phase } from "./event.ts";
import type { FeatureSet } from "./features.ts";
import type { Grade } from "./grade.ts";
import type { NamedServer } from "./surface-body.ts";

/** An event as a client has it: what is not known is left out or null. `args` is a plain object of values that codec.ts can encode. */
export interface EventToSend {
  readonly action: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly phase: Phase;
  readonly principal?: string | null;
  readonly span_id?: string | null;
  readonly parent_principal?: string | null;
  /** Seconds since the epoch. */
  readonly ts?: number | null;
  readonly call_id?: string | null;
  readonly grade?: Grade | null;
  /** The MCP server whose tool it is. */
  readonly server?: NamedServer | null;
}

/**
 * Always `action`, `args`, `phase`; the identity fields only where they are not null; `ts` only where it is a number other
 * than zero (wire v1); `call_id`, `grade`, `server` and `credential` only with their features. Keys in canonical order.
 */
export const encodeEvent = (event: EventToSend, features: FeatureSet): string => {
  const { call_id, grade, parent_principal, principal, span_id, ts } = event;
  const server = features.surface ? (event.server ?? null) : null;
  let text = `{"action":${quote(event.action)},"args":${encodeArgs(event.args, features)}`;
  if (features.call_id && typeof call_id === "string") text += `,"call_id":${quote(call_id)}`;
  if (server !== null && server.credential !== null) text += `,"credential":${quote(server.credential)}`;
  if (features.grade && typeof grade === "string") text += `,"grade":${quote(grade)}`;
  if (typeof parent_principal === "string") text += `,"parent_principal":${quote(parent_principal)}`;
  text += `,"phase":${quote(event.phase)}`;
  if (typeof principal === "string") text += `,"principal":${quote(principal)}`;
  if (server !== null) text += `,"server":${quote(server.server)}`;
  if (typeof span_id === "string") text += `,"span_id":${quote(span_id)}`;
  if (typeof ts === "number" && ts !== 0) text += `,"ts":${canonical(ts)}`;
  return `${text}}`;
};

const encodeArgs = (args: unknown, features: FeatureSet): string => {
  const json = encodeValue(args, features);
  // A Set, bytes or an array is a value but not arguments; the daemon would refuse it with less to say.
  if (typeof json !== "object" || json === null || Array.isArray(json) || args instanceof Uint8Array) {
    throw new Unrepresentable("arguments that are not a plain object");
  }
  return canonicalJson(json, 2);
};
