import { readFile } from "node:fs/promises";
import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import type { ToolDefinition } from "../../../rules/contracts/tool.ts";
import { type ToolData, toolsFromData } from "../../../rules/contracts/tools-from-data.ts";
import { readYaml, type YamlText } from "../../config/yaml-text.ts";
import { keepsAll } from "../../contracts/keeps-all.ts";
import { firstIssue } from "../../contracts/policies/issue.ts";
import { argumentProblem } from "../../contracts/policies/tools-arguments.ts";
import { definitionError } from "../compile.ts";
import { SigningRefused } from "../sign-refusal.ts";
import { type FileContents, fileSchema } from "./file-schema.ts";

const maxDataFileBytes = 4 * 1024 * 1024;

/** How a data file is used: as a rule set of its own, by a module that imports it, or as whichever it is. */
export type DataFileUse = "entry" | "import" | "either";

/**
 * Reads one file of tools, policies and principals. Every refusal names the file, the line, the column and the key.
 * Throws `SigningRefused` (`bad_data`). @param shown the path as messages show it.
 */
export const readDataFile = async (path: string, shown: string, use: DataFileUse): Promise<FileContents> => {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new SigningRefused("bad_data", `${shown} cannot be read (${error.code ?? "unknown error"})`);
  });
  return parseDataFile(text, shown, use);
};

export const parseDataFile = (text: string, shown: string, use: DataFileUse): FileContents => {
  if (text.length > maxDataFileBytes) return refuse(shown, `larger than ${maxDataFileBytes} bytes`);
  const read = readYaml(text);
  if (!read.ok) return refuse(read.place === null ? shown : at(shown, read.place), read.what);
  const parsed = fileSchema.safeParse(read.value ?? {});
  if (!parsed.success) {
    const { path, what } = firstIssue(parsed.error.issues, fileSchema);
    return refuseAt(read, shown, path, what);
  }
  if (!keepsAll(read.value ?? {}, parsed.data)) return refuse(shown, "holds a key that cannot be kept");
  const { data } = parsed;
  if (use === "entry" && data.id === undefined) return refuseAt(read, shown, ["id"], "a rule set has an id");
  if (use === "entry" && data.version === undefined)
    return refuseAt(read, shown, ["version"], "a rule set has a version");
  for (const key of ["id", "version", "deadline_ms"] as const)
    if (use === "import" && data[key] !== undefined)
      return refuseAt(read, shown, [key], "is what the importing rule set says; leave it out");
  if (data.resolvers !== undefined && (data.tools ?? []).length === 0)
    return refuseAt(read, shown, ["resolvers"], "no tool of this file asks them");
  const { tools = [], policies = [] } = data;
  for (const [list, key, items] of [
    ["tools", "name", tools.map(({ name }) => name)],
    ["policies", "id", policies.map(({ id }) => id)],
  ] as const)
    for (const [index, name] of items.entries())
      if (items.indexOf(name) < index)
        return refuseAt(read, shown, [list, index, key], `${name} is defined above; ${key}s differ`);
  const defined = tools.map((tool, index) => judgedTool(tool, index, data, { read, shown, use }));
  const problem = argumentProblem(policies as readonly PolicyDefinition[], defined);
  if (problem !== null) return refuseAt(read, shown, ["policies", ...problem.path], problem.what);
  return data;
};

interface Reading {
  readonly read: YamlText & { ok: true };
  readonly shown: string;
  readonly use: DataFileUse;
}

/** The SDK judges each tool here as it will in the bundle, so that its line can be named. */
const judgedTool = (
  tool: NonNullable<FileContents["tools"]>[number],
  index: number,
  { resolvers = {} }: FileContents,
  { read, shown, use }: Reading,
): ToolDefinition => {
  const sources = Object.fromEntries(
    Object.keys(resolvers).map((name) => [name, { fetch: () => undefined, fresh_ms: 0 }]),
  );
  // Where code imports the file, the set may have the resolver.
  if (use !== "import")
    for (const [path, bound] of Object.entries(tool.bounds ?? {}))
      for (const key of ["min", "max", "equals"] as const) {
        const term = bound[key];
        if (typeof term === "object" && !Object.hasOwn(resolvers, term.fact))
          refuseAt(read, shown, ["tools", index, "bounds", path, key, "fact"], "resolvers has no such name");
      }
  try {
    return toolsFromData([tool as ToolData], sources)[0] as ToolDefinition;
  } catch (error) {
    const refused = definitionError(error);
    if (refused === null) throw error;
    return refuseAt(read, shown, ["tools", index], refused.message);
  }
};

const refuseAt = (
  read: YamlText & { ok: true },
  shown: string,
  path: readonly (string | number)[],
  what: string,
): never => refuse(at(shown, read.place(path)), path.length === 0 ? what : `${path.join(".")}: ${what}`);

const at = (shown: string, { line, column }: { readonly line: number; readonly column: number }): string =>
  `${shown}:${line}:${column}`;

const refuse = (place: string, what: string): never => {
  throw new SigningRefused("bad_data", `${place}: ${what}`);
};
