import type { JsonObject, WireObject } from "../../wire/value.ts";

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

/** Arguments as the contract reads them. What comes after sees `args`, and nothing sees what was put. */
export type ParsedArgs =
  | { readonly ok: true; readonly args: WireObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

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

/** What one fact a resolver told, and when: what the trace says of it. */
export interface FactSeen {
  readonly resolver: string;
  /** SHA-256, hex, of the fact's canonical JSON. */
  readonly digest: string;
  readonly age_ms: number;
}

/** What the facts say of the arguments. */
export type FactCheck =
  | { readonly ok: true; readonly seen: readonly FactSeen[] }
  | {
      readonly ok: false;
      readonly seen: readonly FactSeen[];
      readonly reason: string;
      readonly attributedTo: string | null;
    };

/** What one tool promises, compiled from a signed rule set. Frozen. */
export interface ToolContract {
  /** The action, exactly. */
  readonly name: string;
  /** The rule set it was signed in. */
  readonly ruleSet: string;
  readonly effect: Effect;
  readonly idempotency: IdempotencyTerms;
  /** How long a call may be under way before its outcome counts as unknown. */
  readonly lease_ms: number;
  /** Arguments whose values an operator is not shown, by path. */
  readonly redact: readonly string[];
  /** The JSON Schema (2020-12) that is advertised; made from what `parse` enforces. */
  readonly inputSchema: JsonObject;
  /** Wall time `parse` and `check` together may take. */
  readonly deadline_ms: number;
  /** Strict: nothing is coerced, an unknown key is refused. Defaults are filled in. */
  parse(args: WireObject): ParsedArgs;
  /** Bounds that rest on facts; null where the contract has none. Throws what a resolver throws. */
  readonly check: ((args: WireObject, now_ms: number) => Promise<FactCheck>) | null;
}

/** The contracts of all loaded rule sets. */
export interface Contracts {
  /** Null for an action that no contract is about: it stays on the fast path. */
  of(action: string): ToolContract | null;
}
