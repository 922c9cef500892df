import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";

/** A place in a text, both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type YamlText =
  | {
      readonly ok: true;
      /** Null where the text says nothing. */
      readonly value: unknown;
      readonly isMapping: boolean;
      /** Where the key, or the item of a list, stands that a path names; of a path that is longer, its last step there is. */
      place(path: readonly PropertyKey[]): Place;
    }
  | { readonly ok: false; readonly what: string; readonly place: Place | null };

/** Reads one document, strictly: no key twice, no alias, no tag that it does not know. */
export const readYaml = (text: string): YamlText => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, strict: true });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) return { ok: false, what: said(problem.message), place: placeOf(problem.pos[0]) };
  const root = document.contents;
  let alias: number | null = null;
  visit(document, {
    Alias: (_key, node) => {
      alias = node.range?.[0] ?? null;
      return visit.BREAK;
    },
  });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    return { ok: false, what: "aliases are not allowed; write it out", place: alias === null ? null : placeOf(alias) };
  }
  return {
    ok: true,
    value: root === null ? null : value,
    isMapping: isMap(root),
    place: (path) => (root === null ? { line: 1, column: 1 } : placeOf(offsetOf(root, path))),
  };
};

/** The place is told beside it, so the message's own is left out. */
const said = (message: string): string => (message.split("\n")[0] as string).replace(/ at line \d+, column \d+:$/, "");

const offsetOf = (root: Node, path: readonly PropertyKey[]): number => {
  let node: unknown = root;
  let offset = root.range?.[0] ?? 0;
  for (const step of path) {
    let next: unknown = null;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === step);
      if (isScalar(pair?.key)) offset = pair.key.range?.[0] ?? offset;
      next = pair?.value ?? null;
    } else if (isSeq(node)) {
      next = node.items[step as number] ?? null;
      if (isNode(next)) offset = next.range?.[0] ?? offset;
    }
    node = next;
  }
  return offset;
};
