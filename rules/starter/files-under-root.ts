import { allow, block } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { defineRule } from "../define.ts";
import { RuleDefinitionError } from "../definition-error.ts";
import { fileActions, filesIn, isResolvedBeside } from "../paths/file-arguments.ts";
import { tooManyArguments } from "../paths/named-arguments.ts";
import { isWithin, realPath, realPaths } from "../paths/real-path.ts";
import { filesUnderRootExamples } from "./files-under-root.examples.ts";

export interface FilesUnderRootOptions {
  /** Absolute folders, or below `~`. Links in them are followed. */
  readonly roots: readonly string[];
  /** Where the guarded program runs: what its relative paths mean. Without it they are blocked, but for those of Node's own functions, which say where they lead. */
  readonly directory?: string;
  readonly actions?: readonly string[];
}

/**
 * Files only below the named folders, judged by the path that the kernel would reach and not by its text: `..`, `//`, links
 * (also ones made a moment ago, and ones to what does not exist yet), `~`, file URLs and `/proc/self/root` lead where they
 * lead. Allows what is inside. A link that is changed between this answer and the call is not seen: the folders must
 * not be writable by others.
 */
export const filesUnderRoot = ({ roots, directory, actions = fileActions }: FilesUnderRootOptions): DefinedRule => {
  if (roots.length === 0) throw new RuleDefinitionError("filesUnderRoot: roots must name at least one folder");
  for (const root of [...roots, ...(directory === undefined ? [] : [directory])])
    if (!/^[/~]/.test(root) || root.split("/").includes(".."))
      throw new RuleDefinitionError("filesUnderRoot: a folder must be absolute, or below ~, and without ..");
  if (roots.some((root) => /^\/+$/.test(root)))
    throw new RuleDefinitionError("filesUnderRoot: the root / would allow every file; name the folders");
  return defineRule({
    id: "starter.files-under-root",
    actions,
    phase: "call",
    evaluate(event) {
      const files = filesIn(event.args);
      if (files === null) return block(tooManyArguments);
      if (files.length === 0) return undefined;
      const folders = roots.map((root) => realPath(root, null)).filter((root) => root !== null && root !== "/");
      for (const file of files) {
        if (isResolvedBeside(event, file)) continue;
        const { place, path } = file;
        const reached = path === null ? null : realPaths(path, directory ?? null);
        if (reached === null)
          return block("it is not a path that can be judged; give an absolute one", { attributedTo: place });
        if (!reached.every((real) => folders.some((folder) => isWithin(real, folder as string))))
          return block("it is outside the allowed folders", { attributedTo: place });
      }
      return allow("every path is inside the allowed folders");
    },
    examples: filesUnderRootExamples(actions[0]!, roots, directory !== undefined),
  });
};
