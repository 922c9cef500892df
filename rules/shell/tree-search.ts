import type { ShellNode } from "./tree.ts";

/** Every node right below a node. */
export const childrenOf = (node: ShellNode): readonly ShellNode[] =>
  Object.values(node).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as ShellNode[]) : isNode(value) ? [value] : [],
  );

const isNode = (value: unknown): value is ShellNode => typeof value === "object" && value !== null;

/** Names of the variables that are set anywhere below a node. */
export const assignedIn = (node: ShellNode): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (inner: ShellNode): void => {
    if (inner.type === "Assign" && inner.Name !== null) names.add(inner.Name.Value);
    if (inner.type === "WordIter") names.add(inner.Name.Value);
    for (const child of childrenOf(inner)) visit(child);
  };
  visit(node);
  return names;
};

/** Names of the variables that a node itself reads, not the commands in it. */
export const parametersIn = (node: ShellNode): readonly string[] => {
  if (node.type === "ParamExp" && node.Param !== null)
    return [node.Param.Value, ...childrenOf(node).flatMap(parametersIn)];
  return node.type === "CmdSubst" || node.type === "ProcSubst" || node.type === "Lit"
    ? []
    : childrenOf(node).flatMap(parametersIn);
};
