import { rewrite } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { defineRule } from "../define.ts";

/** Where nobody looks for a document: thousands of entries that fill an agent's context, and a history full of old secrets. */
const excluded = ["**/.git/**", "**/node_modules/**"];

/** Searches and trees of the MCP filesystem server leave out `.git` and `node_modules`. */
export const quietSearch = (): DefinedRule =>
  defineRule({
    id: "starter.quiet-search",
    actions: ["search_files", "directory_tree"],
    phase: "call",
    evaluate({ args }) {
      const asked = args.excludePatterns ?? [];
      // Anything but a list is for the tool's own schema to refuse.
      if (!Array.isArray(asked)) return undefined;
      const missing = excluded.filter((pattern) => !asked.includes(pattern));
      if (missing.length === 0) return undefined;
      return rewrite(
        { excludePatterns: [...asked, ...missing] },
        { reason: "left out .git and node_modules", attributedTo: "excludePatterns" },
      );
    },
    examples: [
      {
        event: { action: "search_files", args: { path: "/srv", pattern: "*.md" } },
        expect: "rewrite",
        becomes: { path: "/srv", pattern: "*.md", excludePatterns: excluded },
      },
      {
        event: { action: "search_files", args: { path: "/srv", pattern: "*.md", excludePatterns: ["**/*.tmp"] } },
        expect: "rewrite",
        becomes: { path: "/srv", pattern: "*.md", excludePatterns: ["**/*.tmp", ...excluded] },
      },
      {
        event: { action: "directory_tree", args: { path: "/srv", excludePatterns: ["**/.git/**"] } },
        expect: "rewrite",
        becomes: { path: "/srv", excludePatterns: excluded },
      },
      { event: { action: "directory_tree", args: { path: "/srv", excludePatterns: excluded } }, expect: "silent" },
      { event: { action: "search_files", args: { path: "/srv", excludePatterns: "*.md" } }, expect: "silent" },
    ],
  });
