import { wideningOf } from "./check-template.ts";
import { maxDelegations, type ParameterValue, type ScopeDocument } from "./document.ts";
import type { ScopeProblem } from "./refusal.ts";
import { type Holding, itemsOf, type Resolution } from "./resolve.ts";
import { prefixesOf } from "./scope-path.ts";

/**
 * How many delegations a grant comes through, at most. `cycle`: it comes from itself. A scope's own grant rests on every
 * binding on its path, so each of these is followed.
 */
export const delegationDepth = (document: ScopeDocument, scope: string, template: string): number | "cycle" => {
  const delegatorOf = (path: string): string | null =>
    document.scopes.get(path)?.find((binding) => binding.template === template)?.delegated_from ?? null;
  const known = new Map<string, number>();
  const open = new Set<string>();
  const depthOf = (path: string): number | "cycle" => {
    const delegator = delegatorOf(path);
    if (delegator === null) return 0;
    const before = known.get(path);
    if (before !== undefined) return before;
    if (open.has(path)) return "cycle";
    // Deeper than is allowed is all that there is to know.
    if (open.size > maxDelegations) return open.size;
    open.add(path);
    let depth = 0;
    for (const above of prefixesOf(delegator)) {
      const one = depthOf(above);
      if (one === "cycle") return one;
      depth = Math.max(depth, one);
    }
    open.delete(path);
    known.set(path, depth + 1);
    return depth + 1;
  };
  return depthOf(scope);
};

/** What a scope grants of a template beyond what one that it is delegated from does; null where nothing. */
export const overGrant = (
  document: ScopeDocument,
  template: string,
  own: Resolution,
  delegator: { readonly path: string; readonly resolution: Resolution },
): (Pick<ScopeProblem, "what"> & { readonly param: string | null }) | null => {
  const { path, resolution } = delegator;
  const theirs = holdingOf(resolution, template);
  if (theirs === null) return { param: null, what: `${path} does not hold ${template}` };
  const ours = holdingOf(own, template);
  if (ours === null) return { param: null, what: `it takes ${template} away, which ${path} is held to` };
  const definition = document.templates.get(template);
  for (const [param, { value }] of ours.params) {
    const limit = theirs.params.get(param)?.value;
    const widens = definition === undefined ? null : wideningOf(param, definition);
    const more = limit === undefined ? `${path} has none` : moreThan(value, limit, widens, path);
    if (more !== null) return { param, what: more };
  }
  return null;
};

const holdingOf = ({ holdings }: Resolution, template: string): Holding | null =>
  holdings.find((holding) => holding.template === template) ?? null;

const moreThan = (
  own: ParameterValue,
  theirs: ParameterValue,
  widens: ReturnType<typeof wideningOf>,
  path: string,
): string | null => {
  if (typeof own === "number" && typeof theirs === "number" && (widens === "larger" || widens === "smaller")) {
    const isMore = widens === "larger" ? own > theirs : own < theirs;
    return isMore ? `${own} here and ${theirs} at ${path}, where a ${widens} one grants more` : null;
  }
  const [ours, limit] = [new Set(itemsOf(own)), new Set(itemsOf(theirs))];
  const added = [...ours].find((item) => !limit.has(item));
  const missing = [...limit].find((item) => !ours.has(item));
  if (widens !== "subset" && added !== undefined)
    return widens === "superset"
      ? `${shown(added)} is not in the list of ${path}`
      : `it is not the value of ${path}, and any other may grant more`;
  if (widens !== "superset" && missing !== undefined)
    return widens === "subset"
      ? `${shown(missing)} is in the list of ${path} and not in this one`
      : `it is not the value of ${path}, and any other may grant more`;
  return null;
};

const shown = (item: string | number): string => JSON.stringify(item).slice(0, 80);
