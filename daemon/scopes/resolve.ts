import type { Binding, Parameter, ParameterValue, ScopeDocument } from "./document.ts";
import { prefixesOf } from "./scope-path.ts";

/** A value that holds in a scope, and the scopes that it comes from: several where lists add up. */
export interface HeldValue {
  readonly value: ParameterValue;
  readonly from: readonly string[];
}

/** A template that holds in a scope. */
export interface Holding {
  readonly template: string;
  readonly params: ReadonlyMap<string, HeldValue>;
  /** The deepest scope that binds it: what a limit counts together. */
  readonly boundAt: string;
}

/** What holds in one scope. */
export interface Resolution {
  /** In the order in which they were first bound, from root to leaf. */
  readonly holdings: readonly Holding[];
  /** By template: the scopes than which it may grant no more, here and below. */
  readonly delegators: ReadonlyMap<string, readonly string[]>;
  /** Templates that were bound on the way and are removed here. */
  readonly removed: readonly string[];
}

/**
 * From root to leaf: a deeper scope's binding of a template is merged over what is inherited of it, parameter by
 * parameter; a tombstone takes it away. Delegation binds everything below it, whatever is bound there.
 */
export const resolveScope = (document: ScopeDocument, path: string): Resolution => {
  const holdings = new Map<string, Holding>();
  const delegators = new Map<string, string[]>();
  const removed = new Set<string>();
  for (const scope of prefixesOf(path))
    for (const binding of document.scopes.get(scope) ?? []) {
      const { template, delegated_from } = binding;
      if (delegated_from !== null) delegators.set(template, [...(delegators.get(template) ?? []), delegated_from]);
      if (!binding.enabled) {
        holdings.delete(template);
        removed.add(template);
        continue;
      }
      removed.delete(template);
      const params = merged(holdings.get(template), binding, document, scope);
      holdings.set(template, Object.freeze({ template, params, boundAt: scope }));
    }
  return Object.freeze({
    holdings: Object.freeze([...holdings.values()]),
    delegators,
    removed: Object.freeze([...removed]),
  });
};

const merged = (
  above: Holding | undefined,
  { template, params }: Binding,
  { templates }: ScopeDocument,
  scope: string,
): Holding["params"] => {
  const parameters = templates.get(template)?.parameters ?? new Map<string, Parameter>();
  const held = new Map(above?.params);
  for (const [name, value] of params) {
    const before = held.get(name);
    held.set(
      name,
      Object.freeze(
        parameters.get(name)?.merge === "union" && before !== undefined
          ? { value: union(before.value, value), from: Object.freeze([...before.from, scope]) }
          : { value, from: Object.freeze([scope]) },
      ),
    );
  }
  return held;
};

const union = (above: ParameterValue, own: ParameterValue): ParameterValue =>
  Object.freeze([...new Set([...itemsOf(above), ...itemsOf(own)])]) as ParameterValue;

export const itemsOf = (value: ParameterValue): readonly (string | number)[] =>
  typeof value === "object" ? value : [value];
