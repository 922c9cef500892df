import type { SyntaxNode } from "@lezer/common";

type Source = (node: SyntaxNode) => string;

/** How many elements `'a' * 10**10` or `2**64` makes; 0 where that is not written out. */
export const sizeOf = (node: SyntaxNode, source: Source, depth = 0): number => {
  if (depth > 16) return 0;
  if (node.name === "Number") return Number(source(node).replaceAll("_", "")) || 0;
  if (node.name === "String") return Math.max(1, source(node).length - 2);
  if (node.name === "ArrayExpression" || node.name === "TupleExpression") return 1;
  if (node.name === "ParenthesizedExpression") return sizeOf(childrenOf(node)[1] ?? node, source, depth + 1);
  if (node.name !== "BinaryExpression") return 0;
  const [left, operator, right] = childrenOf(node);
  if (left === undefined || operator === undefined || right === undefined) return 0;
  const [a, b] = [sizeOf(left, source, depth + 1), sizeOf(right, source, depth + 1)];
  const sign = source(operator);
  if (sign === "**") return a > 1 && b > 0 ? a ** b : 0;
  if (sign === "*") return a * b;
  if (sign === "<<") return a * 2 ** b;
  return 0;
};

/** Elements of a repeated text or list, and digits of a power of powers; numbers that are only large cost nothing. */
export const madeOf = (node: SyntaxNode, source: Source): number => {
  const [left, operator, right] = childrenOf(node);
  if (left === undefined || operator === undefined || right === undefined) return 0;
  const isRepeated = [left, right].some(({ name }) => /^(?:String|ArrayExpression|TupleExpression)$/.test(name));
  if (source(operator) === "*") return isRepeated ? sizeOf(node, source) : 0;
  return source(operator) === "**" && sizeOf(left, source) > 1 ? 4 * sizeOf(right, source) : 0;
};

export const childrenOf = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
};
