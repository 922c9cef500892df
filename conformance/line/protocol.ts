import type { JsonObject, JsonValue } from "../../wire/value.ts";
import type { VerdictName } from "../../wire/verdict.ts";
import type { EventData } from "../corpus/format.ts";
import type { DecisionEntry, DocumentEntry } from "../fallback/format.ts";

/**
 * The line protocol: how the runner drives a client in any language. It starts the client's command, writes one task a line (JSON) to its
 * standard input, and reads one answer a line from its standard output, in any order; `id` says which task one is for.
 * README.md explains it to an author of another language.
 */
export type Task =
  | ({ readonly op: "evaluate" } & Question)
  | ({ readonly op: "call" } & Question)
  | { readonly op: "close"; readonly client: string }
  | { readonly op: "canonical"; readonly hex: string }
  | { readonly op: "encode"; readonly value: TypedValue; readonly escape: boolean }
  /** May this file decide, at this time, for a client that has these keys and saw that before? */
  | ({ readonly op: "fallback_document"; readonly keys: string } & Pick<DocumentEntry, "document" | "now" | "seen">)
  | { readonly op: "fallback_payload"; readonly payload: string }
  | { readonly op: "fallback_decision"; readonly payload: string; readonly event: DecisionEntry["event"] };

/** What goes through the client to a daemon. */
export interface Question {
  /** One name is one client object, with the settings of its first task. */
  readonly client: string;
  readonly socket: string;
  readonly timeout_ms: number;
  /** Bytes stand as `{"kind":"bytes","hex":"0001ff"}`, here and in answers. */
  readonly event: EventData;
}

/** A value whose type JSON alone does not tell: doubles by their 16 hex digits, integers by their decimal digits. */
export type TypedValue =
  | readonly ["null", null]
  | readonly ["boolean", boolean]
  | readonly ["integer" | "double" | "text" | "bytes", string]
  | readonly ["list" | "set", readonly TypedValue[]]
  | readonly ["object", readonly (readonly [string, TypedValue])[]];

export interface NotedDecision {
  readonly verdict: VerdictName;
  readonly reason: string;
  readonly policy_id: string | null;
  readonly attributed_to: string | null;
  readonly modified_args: JsonObject | null;
  readonly modified_result: JsonValue;
  readonly details: JsonValue;
}

export type Answer =
  /** To `evaluate`; `effective_args` is what the arguments are after the decision was applied. */
  | { readonly decision: NotedDecision; readonly effective_args: JsonObject }
  /** To `call`: it may run, with these. */
  | { readonly args: JsonObject }
  /** To `evaluate` and `call`: the client's own blocked error, by its reason. */
  | { readonly blocked: string }
  | { readonly closed: true }
  /** To `fallback_document` (or the refusal's code) and `fallback_payload`. */
  | { readonly accepted: true }
  /** To `fallback_decision`. */
  | DecisionEntry["expect"]
  /** To `canonical` and `encode`. */
  | { readonly text: string }
  | { readonly refused: string }
  /** Any other error: a crash, in words. */
  | { readonly failed: string }
  | { readonly unsupported: true };

/** A client under test, in whatever process. */
export interface TaskClient {
  do(task: Task): Promise<Answer>;
  close(): Promise<void>;
}
