import type { Effect, FieldError, IdempotencyTerms } from "../../rules/contracts/tool.ts";
import type { JsonObject, WireObject } from "../../wire/value.ts";

export type { Effect, FieldError, IdempotencyTerms };

/** Arguments as the contract reads them. What comes after sees `args`, and nothing sees what was put. */
export type ParsedArgs =
  | { readonly ok: true; readonly args: WireObject }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

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
