import { type ArgumentDefinitions, schemaOf } from "./argument-dialect.ts";
import { defineTool, type ToolOptions } from "./define-tool.ts";
import type { FactSource, ToolDefinition } from "./tool.ts";

/** A tool as a YAML file says it: what `defineTool` takes, with its arguments in the dialect of those files. */
export type ToolData = Omit<ToolOptions, "args" | "resolvers"> & { readonly args: ArgumentDefinitions };

/**
 * What a YAML file becomes in a bundle. Its resolvers are told to every tool of the file. Throws
 * `RuleDefinitionError` with one line.
 */
export const toolsFromData = (
  tools: readonly ToolData[],
  resolvers: Readonly<Record<string, FactSource>>,
): readonly ToolDefinition[] =>
  tools.map(({ args, ...options }) =>
    defineTool({ ...options, args: schemaOf(args, `tool ${options.name}: args`), resolvers }),
  );
