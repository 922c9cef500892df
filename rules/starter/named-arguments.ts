import type { WireObject, WireValue } from "../../wire/value.ts";

export interface NamedArgument {
  /** Where it is: `path`, `edits[0].file`. */
  readonly place: string;
  readonly value: WireValue;
}

/** More than any tool takes. Looking through a whole frame of them holds everybody up until the rule is past its deadline. */
const maxLookedAt = 20_000;

/** There are more arguments than a rule looks through: it fails, and the call is blocked. */
export class TooManyArguments extends Error {
  override readonly name = "TooManyArguments";
}

/** Deeper than any tool's arguments that name a file or an address. */
const maxDepth = 8;

/**
 * Every argument of one of these names, at any depth, one for each item where it is a list. Names are compared without
 * case, dashes and underscores: `file_path` and `filePath` are one. With `unnamed`, the one argument without a name counts too.
 * Throws `TooManyArguments`.
 */
export const argumentsNamed = (
  names: ReadonlySet<string>,
  args: WireObject,
  unnamed: "input" | null = null,
): readonly NamedArgument[] => {
  const found: NamedArgument[] = [];
  if (unnamed !== null && isUnnamed(args)) found.push({ place: unnamed, value: args[unnamed] as WireValue });
  visit(args, "", { names, found, lookedAt: 0 }, 0);
  return found;
};

/** A tool called as `tool("/a/path")` is shown to a policy as `{input: "/a/path"}`: its argument has no name of its own. */
export const isUnnamed = (args: WireObject): boolean =>
  (typeof args.input === "string" || args.input instanceof Uint8Array) &&
  Object.keys(args).every((name) => name === "input" || name === "positional_args");

interface Search {
  readonly names: ReadonlySet<string>;
  readonly found: NamedArgument[];
  lookedAt: number;
}

const look = (search: Search, count: number): void => {
  search.lookedAt += count;
  if (search.lookedAt > maxLookedAt) throw new TooManyArguments();
};

const visit = (value: WireValue, place: string, search: Search, depth: number): void => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return;
  if (Array.isArray(value)) {
    look(search, value.length);
    for (const [index, item] of value.entries())
      if (typeof item === "object") visit(item, `${place}[${index}]`, search, depth + 1);
    return;
  }
  const entries = Object.entries(value);
  look(search, entries.length);
  for (const [name, inner] of entries) {
    const at = place === "" ? name : `${place}.${name}`;
    if (!search.names.has(name.toLowerCase().replaceAll(/[-_]/g, ""))) visit(inner, at, search, depth + 1);
    else if (Array.isArray(inner)) {
      look(search, inner.length);
      for (const [index, item] of inner.entries()) search.found.push({ place: `${at}[${index}]`, value: item });
    } else search.found.push({ place: at, value: inner });
  }
};
