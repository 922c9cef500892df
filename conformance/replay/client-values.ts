import type { Decision } from "../../client-node/decision.ts";
import type { JsonObject, JsonValue, WireObject } from "../../wire/value.ts";
import type { NotedDecision } from "../line/protocol.ts";
import { Blanks } from "./bytes.ts";

/** The corpus writes bytes as `{"kind":"bytes","hex":"0001ff"}`. These two go between that and what a client handles. */

const isNotation = (value: object): value is { readonly kind: "bytes"; readonly hex: string } => {
  const { kind, hex } = value as { readonly kind?: unknown; readonly hex?: unknown };
  return kind === "bytes" && typeof hex === "string" && Object.keys(value).length === 2;
};

/** Corpus to client. A key named `__proto__` stays an own key. */
const revived = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== "object" || value === null) return value;
  if (isNotation(value)) return new Uint8Array(Buffer.from(value.hex, "hex"));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revived(member)]));
};

export const revivedArgs = (args: JsonObject): WireObject => revived(args) as WireObject;

/** The blanks in texts filled in, as for one entry. */
export const filledArgs = (args: JsonObject): JsonObject => filled(args, new Blanks()) as JsonObject;

const filled = (value: unknown, blanks: Blanks): unknown => {
  if (typeof value === "string") return blanks.fill(value);
  if (Array.isArray(value)) return value.map((item) => filled(item, blanks));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member, blanks)]));
};

/** Client to corpus. */
export const noted = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return { kind: "bytes", hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(noted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, noted(member)]));
};

export const notedDecision = (decision: Decision): NotedDecision => ({
  verdict: decision.verdictName,
  reason: decision.reason,
  policy_id: decision.policy_id,
  attributed_to: decision.attributed_to,
  modified_args: noted(decision.modified_args) as JsonObject | null,
  modified_result: noted(decision.modified_result) as JsonValue,
  details: (decision.details ?? null) as unknown as JsonValue,
});
