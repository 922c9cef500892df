import { type ToolData, toolsFromData } from "../../../rules/contracts/tools-from-data.ts";
import { jsonTable } from "../../../rules/json-table.ts";
import type { FileContents } from "./file-schema.ts";

/** What a data file becomes in this process, without a bundle: the same as its module makes (data-module.ts). */
export const definitionsIn = ({
  tools = [],
  policies = [],
  principals = {},
  resolvers = {},
  ...set
}: FileContents) => ({
  ...set,
  tools: toolsFromData(
    tools as readonly ToolData[],
    Object.fromEntries(
      Object.entries(resolvers).map(([name, { table, fresh_s = 0 }]) => [
        name,
        { fetch: jsonTable(table), fresh_ms: Math.round(fresh_s * 1000) },
      ]),
    ),
  ),
  policies,
  principals,
});
