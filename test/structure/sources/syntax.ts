import { parseSync } from "vite";

/** A node of the syntax tree (ESTree with TypeScript's nodes), as far as these tests read it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** Every node of a source file's tree. Throws where the file does not parse. */
export const nodesOf = (path: string, text: string): readonly SyntaxNode[] => {
  const parsed = parseSync(path, text);
  const [first] = parsed.errors;
  if (first !== undefined) throw new Error(`${path}: ${first.message}`);
  const nodes: SyntaxNode[] = [];
  const waiting: unknown[] = [parsed.program];
  for (let value = waiting.pop(); waiting.length > 0 || value !== undefined; value = waiting.pop()) {
    if (isNode(value)) nodes.push(value);
    if (typeof value === "object" && value !== null)
      waiting.push(...Object.values(value).filter((child) => typeof child === "object" && child !== null));
  }
  return nodes;
};

const literal = (node: unknown): string | null =>
  isNode(node) && node.type === "Literal" && typeof node.value === "string" ? node.value : null;

const importing = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

/** What a file imports: statements, re-exports, `import()`, types, `require()`, and `new URL(..., import.meta.url)`. */
export const importsOf = (path: string, text: string): readonly string[] =>
  nodesOf(path, text).flatMap((node) => {
    if (importing.has(node.type)) return literal(node.source) ?? [];
    const called = isNode(node.callee) ? node.callee.name : undefined;
    const [first, second] = Array.isArray(node.arguments) ? (node.arguments as readonly unknown[]) : [];
    if (node.type === "CallExpression" && called === "require") return literal(first) ?? [];
    const besideThisFile = isNode(second) && isNode(second.object) && second.object.type === "MetaProperty";
    if (node.type === "NewExpression" && called === "URL" && besideThisFile) return literal(first) ?? [];
    return [];
  });
