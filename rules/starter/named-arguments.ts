import type { WireObject, WireValue } from "../../wire/value.ts";

export interface NamedArgument {
  /** Where it is: `path`, `edits[0].file`. */
  readonly place: string;
  readonly value: WireValue;
}

/** Deeper than any tool's arguments that name a file or an address. */
const maxDepth = 8;

/**
 * Every argument of one of these names, at any depth, one for each item where it is a list. Names are compared without
 * case, dashes and underscores: `file_path` and `filePath` are one. With `unnamed`, the one argument without a name counts too.
 */
export const argumentsNamed = (
  names: ReadonlySet<string>,
  args: WireObject,
  unnamed: "input" | null = null,
): readonly NamedArgument[] => {
  const found: NamedArgument[] = [];
  if (unnamed !== null && isUnnamed(args)) found.push({ place: unnamed, value: args[unnamed] as WireValue });
  visit(args, "", names, found, 0);
  return found;
};

/** A tool called as `tool("/a/path")` is shown to a policy as `{input: "/a/path"}`: its argument has no name of its own. */
export const isUnnamed = (args: WireObject): boolean =>
  (typeof args.input === "string" || args.input instanceof Uint8Array) &&
  Object.keys(args).every((name) => name === "input" || name === "positional_args");

const visit = (
  value: WireValue,
  place: string,
  names: ReadonlySet<string>,
  found: NamedArgument[],
  depth: number,
): void => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) visit(item, `${place}[${index}]`, names, found, depth + 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const at = place === "" ? name : `${place}.${name}`;
    if (!names.has(name.toLowerCase().replaceAll(/[-_]/g, ""))) visit(inner, at, names, found, depth + 1);
    else if (Array.isArray(inner))
      for (const [index, item] of inner.entries()) found.push({ place: `${at}[${index}]`, value: item });
    else found.push({ place: at, value: inner });
  }
};
