import type { WireObject } from "../../wire/value.ts";
import type { Effect } from "./tool.ts";

type Scalar = string | number | boolean | null;

/**
 * What an argument must be for a policy to be about the call; all that are named must hold. Where the argument is of
 * another type than a condition reads (a string where a number is compared), the call is denied, never passed over.
 */
export interface PolicyCondition {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly eq?: Scalar;
  readonly ne?: Scalar;
  readonly in?: readonly Scalar[];
  readonly not_in?: readonly Scalar[];
  /** A pattern in linear time. */
  readonly pattern?: string;
  readonly not_pattern?: string;
  /** Of a text or a list. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Compares texts without case, space around them and invisible characters. */
  readonly normalize?: "casefold_trim";
  /** What it means that there is no such argument. Default `deny`. */
  readonly missing?: "deny" | "no_match" | "match";
}

/** Whose calls a policy is about; all that are named must hold. */
export interface PolicyWho {
  readonly principals?: readonly string[];
  readonly not_principals?: readonly string[];
  /** Holds one of them. */
  readonly roles?: readonly string[];
  /** Holds none of them. */
  readonly not_roles?: readonly string[];
}

export type Day = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

export interface PolicyHours {
  readonly days?: readonly Day[];
  /** `HH:MM`, included. Default 00:00. */
  readonly from?: string;
  /** `HH:MM`, excluded; at or before `from`, it is of the next day. Default 24:00. */
  readonly to?: string;
  /** IANA name, such as `Europe/Berlin`. */
  readonly zone: string;
}

export interface PolicyApproval {
  /** Default `operator`. */
  readonly by?: "client" | "operator";
  readonly roles?: readonly string[];
  /** Default 1. */
  readonly count?: number;
  /** Default 3600. */
  readonly expires_s?: number;
  /** Default `once` alone. */
  readonly scopes?: readonly ("once" | "exact" | { readonly shape: readonly string[] })[];
}

/** One of `count`, `sum`, `distinct`, `repeats` and `volume`, with `max`; `volume` with `max_bytes`. */
export interface PolicyLimit {
  readonly count?: "calls";
  /** Path of a number. */
  readonly sum?: string;
  /**
   * How many different values: of the argument at a path, or `destination`: hosts of URLs and addresses of mail, wherever in the
   * arguments they stand.
   */
  readonly distinct?: string;
  /** Calls of one tool with equal arguments by one principal. */
  readonly repeats?: "same_call";
  /** Bytes of all arguments (`arguments`), or of the one at a path: texts as UTF-8, with names. */
  readonly volume?: string;
  /** Of `distinct` 1000 at most. */
  readonly max?: number;
  readonly max_bytes?: number;
  /** `principal`, `tool`, `tenant`, or `args.<path>`. Empty: all calls together. */
  readonly per?: readonly string[];
  /** Counts texts together that differ in case, space around them and invisible characters only. */
  readonly normalize?: "casefold_trim";
  readonly window_s: number;
}

export interface PolicyExample {
  /** Default: the policy's only tool. */
  readonly action?: string;
  readonly args: WireObject;
  readonly principal?: string;
  /** What the principal holds. Default: what the set's `principals` says. */
  readonly roles?: readonly string[];
  /** RFC 3339. Default: the daemon's clock. */
  readonly at?: string;
  /** What the tool is declared to do. Default: as its contract in the same set says, else it is not declared. */
  readonly effect?: Effect;
  /** What this policy alone says. */
  readonly expect: "allow" | "deny" | "require_approval";
}

/** One policy, as data. Exactly one of `then` and `limit`. */
export interface PolicyDefinition {
  /** Unique in the daemon; named in receipts and reasons. */
  readonly id: string;
  /** Exact names, `prefix.*`, or `*`. */
  readonly tools: readonly string[];
  /** Not these. */
  readonly except?: readonly string[];
  /** By argument path. */
  readonly when?: Readonly<Record<string, PolicyCondition>>;
  readonly who?: PolicyWho;
  /** Of tools that a signed contract declares to do one of these. A tool without a contract does none of them. */
  readonly effects?: readonly Effect[];
  /** Of tools that no signed contract declares to do one of these: those without a contract too. */
  readonly not_effects?: readonly Effect[];
  /** Of calls whose arguments are longer: texts as UTF-8, with names. */
  readonly arguments_over_bytes?: number;
  readonly during?: PolicyHours;
  readonly outside?: PolicyHours;
  readonly then?: "deny" | "require_approval";
  readonly approval?: PolicyApproval;
  readonly limit?: PolicyLimit;
  readonly reason?: string;
  /** It is recorded what it would have said, and nothing else happens. */
  readonly shadow?: true;
  readonly examples?: readonly PolicyExample[];
}

export interface PrincipalDefinition {
  readonly roles?: readonly string[];
  readonly tenant?: string;
}

export type Principals = Readonly<Record<string, PrincipalDefinition>>;
