import type { DefinedRule } from "../authoring.ts";
import { dangerousCommands } from "./dangerous-commands.ts";
import { type FilesUnderRootOptions, filesUnderRoot } from "./files-under-root.ts";
import { type PrivateEgressOptions, privateEgress, privateEgressInCommands } from "./private-egress.ts";
import { quietSearch } from "./quiet-search.ts";
import { type RefundOwnershipOptions, refundOwnership } from "./refund-ownership.ts";
import { secretFiles, secretFilesInCommands } from "./secret-files.ts";

/** The starter rules: `import { starterRules } from "interlock/rules/starter"`. docs/rules.md lists what each stops. */
export {
  dangerousCommands,
  type FilesUnderRootOptions,
  filesUnderRoot,
  type PrivateEgressOptions,
  privateEgress,
  privateEgressInCommands,
  quietSearch,
  type RefundOwnershipOptions,
  refundOwnership,
  secretFiles,
  secretFilesInCommands,
};

export interface StarterOptions {
  /** Folders that files may be read and written in. */
  readonly roots: readonly string[];
  /** Where the guarded program runs: what its relative paths mean. Without it they are blocked. */
  readonly directory?: string;
  /** Hosts of the private network that may be reached all the same. */
  readonly allowHosts?: readonly string[];
  /** With it, refunds are judged; the rule set must declare the resolver `orders`. */
  readonly refunds?: RefundOwnershipOptions;
}

/**
 * All starter rules, in order, for a rule set of your own. They block and escalate what they know to be wrong, allow a file
 * inside `roots` and a refund that holds, and are silent about everything else: there the setting `unknown` decides.
 */
export const starterRules = ({
  roots,
  directory,
  allowHosts = [],
  refunds,
}: StarterOptions): readonly DefinedRule[] => {
  const where = directory === undefined ? {} : { directory };
  return Object.freeze([
    quietSearch(),
    secretFiles(where),
    filesUnderRoot({ roots, ...where }),
    secretFilesInCommands(),
    dangerousCommands(),
    privateEgress({ allowHosts }),
    privateEgressInCommands({ allowHosts }),
    ...(refunds === undefined ? [] : [refundOwnership(refunds)]),
  ]);
};
