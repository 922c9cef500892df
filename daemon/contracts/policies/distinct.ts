import { argumentPath, type Found, readPath } from "../../../rules/contracts/argument-path.ts";
import { destinationsOf } from "../../../rules/scan/destinations.ts";
import type { WireObject, WireValue } from "../../../wire/value.ts";

/** So many different values a limit may allow: it knows each of them for its window, and counts them where a new one comes. */
export const maxDistinct = 1_000;

type Value = string | number | boolean;

export type DistinctRead =
  | { readonly ok: true; readonly values: readonly Value[] }
  | { readonly ok: false; readonly loc: string; readonly why: string };

/**
 * The values of one call that a limit counts once each. Of more than it could ever allow one more than that is told. Throws
 * `RuleDefinitionError` for a path that is none.
 */
export const distinctReader = (
  of: string,
  shown: (text: string) => string,
  where: string,
): ((args: WireObject) => DistinctRead) => {
  if (of === "destination") return destinations;
  const path = argumentPath(of, where);
  return (args) => {
    const values = new Set<Value>();
    for (const found of readPath(args, path)) {
      const wrong = take(found, shown, values);
      if (wrong !== null) return { ok: false, loc: found.loc, why: wrong };
      if (values.size > maxDistinct) break;
    }
    return { ok: true, values: [...values] };
  };
};

const destinations = (args: WireObject): DistinctRead => {
  const found = destinationsOf(args, maxDistinct);
  if (!found.ok) return { ok: false, loc: "", why: "the arguments hold more than is looked at" };
  return { ok: true, values: [...found.destinations] };
};

/** A list of values is each of them. Null where it was taken, else what is wrong. */
const take = (found: Found, shown: (text: string) => string, values: Set<Value>): string | null => {
  if (found.kind !== "value") return found.kind === "missing" ? "is missing" : "is not where it should be";
  const { value } = found;
  for (const one of Array.isArray(value) ? (value as readonly WireValue[]) : [value]) {
    if (typeof one === "string") values.add(shown(one));
    else if (typeof one === "boolean" || (typeof one === "number" && Number.isFinite(one))) values.add(one);
    else return "is not a text, a number, a boolean or a list of them";
    if (values.size > maxDistinct) return null;
  }
  return null;
};
