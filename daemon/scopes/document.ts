import type { JsonValue } from "../../wire/value.ts";

/**
 * A scope document as somebody wrote it: policies with parameters, bound to paths of principals. Nothing in it is code; a
 * parameter is a value. Frozen.
 */
export interface ScopeDocument {
  readonly id: string;
  /** Rises with each change. */
  readonly version: number;
  /** RFC 3339 in UTC; null for no end. */
  readonly not_after: string | null;
  readonly templates: ReadonlyMap<string, Template>;
  /** By path, such as `acme/payments`, in the order in which they are written. */
  readonly scopes: ReadonlyMap<string, readonly Binding[]>;
}

export const parameterTypes = Object.freeze(["string", "number", "strings", "numbers"] as const);
export type ParameterType = (typeof parameterTypes)[number];
export type ParameterValue = string | number | readonly string[] | readonly number[];

/**
 * Which other value of a parameter grants more: a larger or a smaller number, a list with more or with fewer items.
 * `never`: a delegate's value is its delegator's.
 */
export const widenings = Object.freeze(["larger", "smaller", "superset", "subset", "never"] as const);
export type Widening = (typeof widenings)[number];

export interface Parameter {
  readonly type: ParameterType;
  /** `override`: the deepest scope's value holds. `union`: lists add up from root to leaf. */
  readonly merge: "override" | "union";
  /** As the template says it; null where it leaves it to what its policy reads. */
  readonly widens: Widening | null;
}

export interface Template {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** A policy without id, in which `{ param: NAME }` may stand for a value. */
  readonly policy: { readonly [key: string]: JsonValue };
}

export interface Binding {
  readonly template: string;
  readonly params: ReadonlyMap<string, ParameterValue>;
  /** False: a tombstone. What is inherited of this template is gone, until a deeper scope binds it anew. */
  readonly enabled: boolean;
  /** The scope than which it may never grant more. */
  readonly delegated_from: string | null;
}

export const maxScopes = 10_000;
export const maxTemplates = 256;
export const maxBindings = 64;
export const maxParameters = 64;
export const maxSegments = 16;
export const maxDelegations = 16;
