import type { JsonObject, WireObject } from "../../wire/value.ts";
import type { Resolver } from "../types.ts";

/**
 * What running a tool does. `read` changes nothing. `idempotent` may run twice with the effect of once. `write` may not:
 * when nobody knows whether it ran, a person decides.
 */
export type Effect = "read" | "idempotent" | "write";

/** One field that does not satisfy its contract. `loc` is its path (`items[2].url`), empty for the whole; never a value. */
export interface FieldError {
  readonly loc: string;
  readonly msg: string;
  /** A code of a closed list, such as `missing`, `invalid_type`, `too_big`, `unrecognized_keys`. */
  readonly type: string;
}

/** When two calls of a tool are the same call. */
export interface IdempotencyTerms {
  /** All arguments; the caller's key in one argument; only some arguments; or never. */
  readonly by: "arguments" | "key" | "fields" | "off";
  /** The arguments that `key` (one) or `fields` (some) name, by path. Empty otherwise. */
  readonly paths: readonly string[];
  /** Within whose calls a repeat is looked for. */
  readonly scope: "principal" | "tenant" | "global";
  /** For how long an executed call is answered with its result. */
  readonly window_ms: number;
  /** How long a duplicate waits for the first one's result before it is `in_flight`. */
  readonly wait_ms: number;
}

/** What a resolver says under the key that an argument holds, read at a path into the fact. */
export interface FactRef {
  /** The resolver's name. */
  readonly fact: string;
  /** Path of the argument whose value is the key. */
  readonly key: string;
  /** Path into the fact. */
  readonly path: string;
}

export type BoundScalar = string | number | boolean;

/** What an argument may be beside its schema. */
export interface BoundTerms {
  readonly min?: number | FactRef;
  readonly max?: number | FactRef;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly oneOf?: readonly BoundScalar[];
  /** A pattern in linear time. */
  readonly pattern?: string;
  readonly equals?: BoundScalar | FactRef;
}

export type Bounds = Readonly<Record<string, BoundTerms>>;

/** A resolver, and for how long what it said may be used again. */
export interface FactSource {
  readonly fetch: Resolver;
  readonly fresh_ms: number;
}

export interface ToolExample {
  readonly args: WireObject;
  /** Facts by resolver name, then key. */
  readonly given?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  readonly expect: "allow" | "deny";
  /** With `deny`: the arguments that are refused, by path, in any order. */
  readonly errors?: readonly string[];
}

/** What a schema says of arguments: the value as it reads them, not yet trusted to have kept everything. */
export type SchemaAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** What `defineTool` returns: data, and one function. Frozen. */
export interface ToolDefinition {
  readonly kind: "tool";
  readonly name: string;
  readonly effect: Effect;
  readonly idempotency: IdempotencyTerms;
  readonly lease_ms: number;
  readonly redact: readonly string[];
  readonly inputSchema: JsonObject;
  readonly bounds: Bounds;
  readonly resolvers: Readonly<Record<string, FactSource>>;
  readonly examples: readonly ToolExample[];
  read(args: WireObject): SchemaAnswer;
}
