import { allow, block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type FileArgument, filesIn, isResolvedBeside } from "../../paths/file-arguments.ts";
import { isFileTool } from "../../paths/file-tools.ts";
import { tooManyArguments } from "../../paths/named-arguments.ts";
import { isPatchName, patchedFiles } from "../../paths/patched-files.ts";
import { readingsOf } from "../../paths/readings.ts";
import { isWithin, realPath, realPaths } from "../../paths/real-path.ts";
import { opensForWriting, toolUse, usesOf } from "../../paths/tool-use.ts";
import { isDevice, isWindowsForm } from "../../paths/windows.ts";
import { workingFolders } from "../../paths/working-folder.ts";
import type { RuleEvent } from "../../types.ts";
import { everyTool } from "./path-texts.ts";
import { rootsExamples } from "./roots.examples.ts";
import type { Settings } from "./settings.ts";

/**
 * File tools only below the named folders, judged by the path that the kernel would reach: `..`, `//`, links (also ones made a moment
 * ago, and ones to what does not exist yet), `~`, file URLs and `/proc/self/root` lead where they lead. By every reading of the spelling,
 * so that `..%2f` is inside only where its decoded form is, too. Allows what is inside.
 */
export const roots = (settings: Settings): DefinedRule =>
  defineRule({
    id: "paths.roots",
    actions: everyTool,
    phase: "call",
    evaluate(event) {
      if (!isFileTool(event.action)) return undefined;
      const files = filesIn(event.args);
      if (files === null) return block(tooManyArguments);
      const patched = filesOfPatches(event);
      if (patched === null) return block(tooManyArguments);
      const patterns = [...absolutePatterns(event), ...patched];
      if (files.length === 0 && patterns.length === 0) return undefined;
      let readable: readonly string[] | undefined;
      let writable: readonly string[] | undefined;
      for (const file of [...files, ...patterns]) {
        if (isResolvedBeside(event, file)) continue;
        const places = placesFrom(file.path, workingFolders(event.args, settings.directory));
        const attributedTo = file.place;
        if (places === null)
          return block(isRelative(file.path) && settings.directory === null ? relative : unjudged, { attributedTo });
        // Looked up for every call: a root may be a link, and links change.
        if (isRead(event, file)) readable ??= foldersOf(settings.readRoots);
        else writable ??= foldersOf(settings.writeRoots);
        const folders = (isRead(event, file) ? readable : writable) ?? [];
        if (!places.every((place) => folders.some((folder) => isWithin(place, folder)))) {
          const why = "it is outside the allowed folders";
          return settings.outsideRoots === "block" ? block(why, { attributedTo }) : escalate(why, { attributedTo });
        }
      }
      return allow("every path is inside the allowed folders");
    },
    examples: rootsExamples(settings),
  });

const unjudged = "it is not a path that can be judged; give an absolute one";
const relative = "a relative path is not judged while the rule set names no `directory` for it; give an absolute one";

const isRelative = (path: string | null): boolean => path !== null && !/^(?:[/\\~]|[a-z][a-z0-9+.-]*:)/i.test(path);

const foldersOf = (named: readonly string[]): readonly string[] =>
  named.map((root) => realPath(root, null)).filter((root): root is string => root !== null && root !== "/");

const isRead = ({ action, args }: RuleEvent, { place }: FileArgument): boolean =>
  !opensForWriting(action, args.flags) &&
  usesOf(toolUse(action), place).every((use) => use === "read" || use === "list");

/** Everywhere that a spelling may lead from any of the folders that it may be read from; null where that cannot be said. */
const placesFrom = (path: string | null, folders: readonly (string | null)[]): readonly string[] | null => {
  if (folders.length === 1 || !isRelative(path)) return placesOf(path, folders[0] ?? null);
  const found: string[] = [];
  for (const folder of folders) {
    const places = placesOf(path, folder);
    if (places === null) return null;
    found.push(...places);
  }
  return found;
};

/** Everywhere that a spelling may lead; null where that cannot be said. */
const placesOf = (path: string | null, directory: string | null): readonly string[] | null => {
  if (path === null || isWindowsForm(path) || isDevice(path)) return null;
  const found: string[] = [];
  for (const reading of readingsOf(path)) {
    if (reading === "" || isWindowsForm(reading)) return null;
    const places = realPaths(reading, directory);
    if (places === null) return null;
    found.push(...places);
  }
  return found;
};

/** Files that a patch in the arguments names. Null: more than are told apart. */
const filesOfPatches = ({ args }: RuleEvent): readonly FileArgument[] | null => {
  const found: FileArgument[] = [];
  for (const [place, text] of Object.entries(args)) {
    if (typeof text !== "string" || !isPatchName(place)) continue;
    const files = patchedFiles(text);
    if (files === null) return null;
    for (const path of files) found.push({ place, path });
  }
  return found;
};

/** The folder that a glob begins in, where it says one: `/etc/*`, `../../x`. */
const absolutePatterns = ({ args }: RuleEvent): readonly FileArgument[] =>
  (["pattern", "glob", "include"] as const).flatMap((place) => {
    const text = args[place];
    if (typeof text !== "string" || !/^(?:\/[\w.]|~|\.\.\/)/.test(text)) return [];
    const at = text.search(/[*?[{]/);
    return at < 0 ? [] : [{ place, path: text.slice(0, text.lastIndexOf("/", at) + 1) }];
  });
