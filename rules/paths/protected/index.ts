import type { Folded } from "../folded.ts";
import { hasWildcard } from "../wildcard.ts";
import { shortNameAsGlob } from "../windows.ts";
import { agentConfig, agentInstructions } from "./agents.ts";
import { ciFiles } from "./ci.ts";
import { credentials } from "./credentials.ts";
import type { FileUse, Member, SetOf } from "./member.ts";
import { expansionsOf } from "./patterns.ts";
import { startup } from "./startup.ts";
import { accountFiles, processes, systemFiles } from "./system.ts";
import { versionControl } from "./vcs.ts";

export type { FileUse, Member, ProtectedSet } from "./member.ts";

/** The sets that are always protected, in the order in which they are asked. */
export const standardSets: readonly SetOf[] = Object.freeze([
  credentials,
  processes,
  accountFiles,
  startup,
  versionControl,
  agentConfig,
  systemFiles,
]);

/** Sets that are protected where somebody asks for it. */
export const furtherSets = Object.freeze({ ciFiles, agentInstructions });

/**
 * The member of the first set that protects this path against one of these uses; null where none does. A path with wildcards is a
 * member where it may match one that it names: `.e*`, `.ssh/*`, `*.pem`; `*` alone names none.
 */
export const protectionOf = (
  path: Folded,
  uses: readonly FileUse[],
  sets: readonly SetOf[],
  isShell: boolean,
): Member | null => {
  const isPattern = path.parts.some((part) => hasWildcard(part) || shortNameAsGlob(part) !== null);
  for (const one of isPattern ? [path, ...expansionsOf(path, isShell)] : [path])
    for (const set of sets) {
      const found = set(one);
      if (found !== null && uses.some((use) => found.uses.has(use))) return found;
    }
  return null;
};
