import type { PolicyDefinition } from "../../rules/contracts/policy-definition.ts";
import type { Resolvers, Rule } from "../../rules/types.ts";
import type { Contracts, ToolContract } from "../contracts/contract.ts";
import type { Policies } from "../contracts/policy.ts";

/** A rule set whose bytes were verified and whose module ran: what the engine judges by. Frozen. */
export interface LoadedRuleSet {
  readonly id: string;
  readonly version: number;
  /** `sha256:<hex>` of the signed manifest bytes. */
  readonly digest: string;
  /** Believed keys that signed it. */
  readonly keyIds: readonly string[];
  /** Its file, and the sources that its manifest names beside it; null where it comes from no signed file. */
  readonly origin: { readonly path: string; readonly sources: readonly string[] } | null;
  readonly rules: readonly Rule[];
  readonly resolvers: Resolvers;
  readonly tools: readonly ToolContract[];
  readonly policies: readonly PolicyDefinition[];
  /** Wall time all rules of this module may take for one event. */
  readonly deadline_ms: number;
}

/** All rule sets of one daemon, in the configured order. One call is judged by one of these from start to end. */
export interface LoadedRules {
  /** `sha256:<hex>` over the sets' ids, versions and digests in order. */
  readonly digest: string;
  /** The sum of the sets' versions: it rises whenever any set's does. */
  readonly version: number;
  readonly sets: readonly LoadedRuleSet[];
  /** The contracts of all sets; a tool has at most one. */
  readonly contracts: Contracts;
  /** The policies and principals of all sets, judged together. */
  readonly policies: Policies;
}
