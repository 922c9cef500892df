import type { Phase } from "../event.ts";

/**
 * What a client decides by while nobody listens on the daemon's socket: data that every language reads alike (docs/fallback.md).
 * Parsed (parse-policy.ts) from the payload of a signed document of the kind `fallback`. Frozen.
 */
export interface FallbackPolicy {
  readonly id: string;
  /** Rises with every change; a lower one than was seen is refused. */
  readonly version: number;
  readonly created_ms: number;
  /** Null: from the moment it is signed. */
  readonly not_before_ms: number | null;
  /** From this moment on nothing is decided by it. */
  readonly not_after_ms: number;
  readonly rules: readonly FallbackRule[];
}

export interface FallbackRule {
  readonly id: string;
  readonly effect: "allow" | "block";
  /** Names, `name.*`, and in a block `*`. */
  readonly actions: readonly string[];
  readonly phase: Phase | "both";
  /** Names and `name/*`; null: whoever asks. */
  readonly principals: readonly string[] | null;
  readonly where: readonly ArgumentCondition[];
  /** Names of arguments beside which an allowed call has no other; null: any. */
  readonly only_arguments: readonly string[] | null;
}

/** What one argument has to be. */
export interface ArgumentCondition {
  /** The way to it: names, positions in arrays, and `*` for every item of an array. */
  readonly steps: readonly string[];
  readonly test: ArgumentTest;
}

export type ArgumentTest =
  /** A path in one of these directories, each of which ends in `/`. */
  | { readonly kind: "prefix"; readonly directories: readonly string[] }
  | { readonly kind: "one_of"; readonly values: readonly (string | number | boolean)[] }
  | {
      readonly kind: "number";
      readonly min: number | null;
      readonly max: number | null;
      readonly integer: boolean;
    };
