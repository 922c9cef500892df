import type { WireValue } from "../../wire/value.ts";

export interface NamedArgument {
  /** Where it is: `path`, `edits[0].file`. */
  readonly place: string;
  readonly value: WireValue;
}

/** Deeper than any tool's arguments that name a file or an address. */
const maxDepth = 8;

/**
 * Every argument of one of these names, at any depth, one for each item where it is a list. Names are compared without
 * case, dashes and underscores: `file_path` and `filePath` are one.
 */
export const argumentsNamed = (names: ReadonlySet<string>, value: WireValue): readonly NamedArgument[] => {
  const found: NamedArgument[] = [];
  visit(value, "", names, found, 0);
  return found;
};

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
