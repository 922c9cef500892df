import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { isFileTool } from "../../paths/file-tools.ts";
import { isWithin, realPath } from "../../paths/real-path.ts";
import { foldersLeft, traversalIn } from "../../paths/traversal.ts";
import { traversalExamples } from "./examples.ts";
import { everyTool, pathTexts } from "./path-texts.ts";
import type { Settings } from "./settings.ts";

/** `..` that hides, in any tool's arguments; names in an archive that climb; and, for tools that are no known file tools, paths that leave the roots by climbing. */
export const traversal = (settings: Settings): DefinedRule =>
  defineRule({
    id: "paths.traversal",
    actions: everyTool,
    phase: "call",
    evaluate({ action, args }) {
      const texts = pathTexts(action, args);
      if (texts === null) return escalate("it has more arguments than are looked through");
      const unpacks = unpacking.test(action);
      let doubt: ReturnType<typeof escalate> | undefined;
      for (const { place, text, kind } of texts) {
        const attributedTo = place;
        if (traversalIn(text) !== null) return block("it hides a step out of its folder", { attributedTo });
        if (unpacks && leavesArchive(place, text))
          return block("a name in an archive leaves the folder that it is unpacked in", { attributedTo });
        if (kind !== "path") continue;
        if (foldersLeft(text) >= 2 && strong.test(place) && !isFileTool(action) && leaves(text, settings))
          doubt ??= escalate("it climbs out of the allowed folders", { attributedTo });
      }
      return doubt;
    },
    examples: traversalExamples,
  });

const unpacking = /unzip|untar|unpack|extract|decompress|archive|zip|inflate/i;
/** Arguments that name what is in an archive, and those that may. */
const members = /(?:^|[._])(?:members?|entries|entry)(?:\[\d+\])?(?:\.[a-z]+)?$/i;
const maybeMembers = /(?:^|[._])(?:files?|names?)(?:\[\d+\])?(?:\.[a-z]+)?$/i;
const leavesArchive = (place: string, text: string): boolean =>
  members.test(place)
    ? foldersLeft(text) > 0 || /^(?:\/|[A-Za-z]:|\\)/.test(text)
    : maybeMembers.test(place) && foldersLeft(text) > 0;

const strong =
  /(?:path|file|filename|dir|directory|folder|document|location|uri|resource|archive|destination|dest)s?(?:\[\d+\])?$/i;

/** Where the directory is not known, a path that climbs may lead anywhere. */
const leaves = (text: string, { directory, readRoots, writeRoots }: Settings): boolean => {
  if (directory === null) return true;
  const reached = realPath(text.trim(), directory);
  return (
    reached === null || ![...readRoots, ...writeRoots].some((root) => isWithin(reached, realPath(root, null) ?? root))
  );
};
