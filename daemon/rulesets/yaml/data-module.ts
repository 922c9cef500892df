import type { FileContents } from "./file-schema.ts";
import type { DataFileUse } from "./read-data-file.ts";

/**
 * The module that a data file becomes in a bundle. Its data stands in it as JSON text, parsed when the module runs: as
 * an object literal, a key named `__proto__` would mean something else. A file of policies alone brings no library.
 */
export const dataModule = (
  { tools, policies, principals, resolvers, ...set }: FileContents,
  use: DataFileUse,
): string => {
  const lines: string[] = [];
  const hasTools = tools !== undefined && tools.length > 0;
  if (hasTools) lines.push('import { toolsFromData } from "interlock/contracts";');
  if (hasTools && resolvers !== undefined) lines.push('import { jsonTable } from "interlock/rules";');
  if (use === "entry") lines.push('import { defineRules } from "interlock/rules";');
  const tables = Object.entries(resolvers ?? {}).map(
    ([name, { table, fresh_s = 0 }]) =>
      `[${JSON.stringify(name)}]: { fetch: jsonTable(${JSON.stringify(table)}), fresh_ms: ${Math.round(fresh_s * 1000)} }`,
  );
  const made = hasTools ? `toolsFromData(${data(tools)}, { ${tables.join(", ")} })` : "[]";
  const contents = `tools: ${made}, policies: ${data(policies ?? [])}, principals: ${data(principals ?? {})}`;
  lines.push(
    use === "entry"
      ? `export default defineRules({ ...${data(set)}, ${contents} });`
      : `export default { ${contents} };`,
  );
  return lines.join("\n");
};

const data = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
