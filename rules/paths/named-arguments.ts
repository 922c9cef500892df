import type { WireObject, WireValue } from "../../wire/value.ts";
import { isUnnamed } from "../unnamed-argument.ts";

export interface NamedArgument {
  /** Where it is: `path`, `edits[0].file`. */
  readonly place: string;
  readonly value: WireValue;
}

/** More than any tool takes. Looking through a whole frame of them holds everybody up until the rule is past its deadline. */
const maxLookedAt = 20_000;

/** For a rule that is given `null` by `argumentsNamed`. */
export const tooManyArguments = "it has more arguments than are looked through";

/** Deeper than any tool's arguments that name a file or an address. */
const maxDepth = 8;

/**
 * Every argument of one of these names, at any depth, one for each item where it is a list. Names are compared without
 * case, dashes and underscores: `file_path` and `filePath` are one. With `unnamed`, the one argument without a name counts too.
 * Null where there are more arguments than are looked through, which a rule must block.
 */
export const argumentsNamed = (
  names: ReadonlySet<string>,
  args: WireObject,
  unnamed: "input" | null = null,
): readonly NamedArgument[] | null => {
  const found: NamedArgument[] = [];
  if (unnamed !== null && isUnnamed(args)) found.push({ place: unnamed, value: args[unnamed] as WireValue });
  return visit(args, "", { names, found, left: maxLookedAt }, 0) ? found : null;
};

interface Search {
  readonly names: ReadonlySet<string>;
  readonly found: NamedArgument[];
  left: number;
}

/** Looks through `value`; false as soon as there is too much. */
const visit = (value: WireValue, place: string, search: Search, depth: number): boolean => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return true;
  if (Array.isArray(value)) {
    search.left -= value.length;
    if (search.left < 0) return false;
    return value.every((item, index) => visit(item, `${place}[${index}]`, search, depth + 1));
  }
  const entries = Object.entries(value);
  search.left -= entries.length;
  if (search.left < 0) return false;
  return entries.every(([name, inner]) => {
    const at = place === "" ? name : `${place}.${name}`;
    if (!search.names.has(name.toLowerCase().replaceAll(/[-_]/g, ""))) return visit(inner, at, search, depth + 1);
    if (!Array.isArray(inner)) return search.found.push({ place: at, value: inner }) > 0;
    search.left -= inner.length;
    if (search.left < 0) return false;
    for (const [index, item] of inner.entries()) search.found.push({ place: `${at}[${index}]`, value: item });
    return true;
  });
};
