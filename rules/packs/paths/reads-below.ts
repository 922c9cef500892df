import { posix } from "node:path";
import { escalate } from "../../answers.ts";
import { isWithin, type Links, realPath } from "../../paths/real-path.ts";
import type { Directory } from "../../shell/directories.ts";
import type { EscalateAnswer } from "../../types.ts";
import { asksForKeys, folderContents, holdsProtected, mayReachProtected } from "./folder-contents.ts";
import type { RecursiveRead } from "./recursive-readers.ts";
import type { Settings } from "./settings.ts";

/** Folders of one command that are gone through; each may cost some milliseconds. */
const maxFolders = 8;

/** A search of a home or the machine for names of keys. */
export const looksFor = (
  searched: readonly RecursiveRead[],
  name: string,
  { directory }: Settings,
): EscalateAnswer | undefined =>
  searched.some(
    ({ text, directories, filter }) =>
      asksForKeys(filter) && foldersOf(text, directories, directory).some((folder) => holdsProtected(folder)),
  )
    ? escalate("it searches for files of keys", { attributedTo: name })
    : undefined;

/** Recursive readers: held where the folder has a protected file that they would reach, or is known to have. */
export const readsBelow = (
  reads: readonly RecursiveRead[],
  name: string,
  settings: Settings,
  links: Links,
): EscalateAnswer | undefined => {
  const attributedTo = name;
  let left = maxFolders;
  for (const { text, directories, filter } of reads)
    for (const folder of foldersOf(text, directories, settings.directory)) {
      if (!mayReachProtected(filter)) continue;
      if (holdsProtected(folder) || left-- === 0)
        return escalate("it reads everything below a folder that holds keys", { attributedTo });
      const path = realPath(folder, null, links);
      if (path === null) continue;
      const contents = folderContents(path, filter, settings.protecting);
      if (contents === "protected") return escalate("it reads a folder that holds a file of keys", { attributedTo });
      if (contents === "large" && settings.largeSearches === "escalate" && !isOpen(path))
        return escalate("it reads a folder with more files than are looked at", { attributedTo });
      if (contents === "large" && !isOpen(path) && !isInside(path, settings))
        return escalate("it reads a folder with more files than are looked at", { attributedTo });
    }
  return undefined;
};

const foldersOf = (text: string, directories: readonly Directory[], own: string | null): readonly string[] => {
  const wildcard = text.search(/[*?[\0]/);
  const known = wildcard < 0 ? text : text.slice(0, text.lastIndexOf("/", wildcard) + 1);
  // `cat *.json` and `cat $FILE` read some names of a folder, and not what is below it.
  if (known === "") return [];
  if (/^[/~]/.test(known)) return [posix.normalize(known)];
  return [...new Set(directories.map((directory) => directory ?? own))].map((directory) =>
    directory === null ? posix.normalize(known) : posix.normalize(`${directory}/${known}`),
  );
};

/** Trees of programs and their documentation. */
const isOpen = (path: string): boolean => /^\/(?:usr|opt|lib|lib64|nix)(?:\/|$)/.test(path);

const isInside = (path: string, { readRoots, writeRoots }: Settings): boolean =>
  [...readRoots, ...writeRoots].some((root) => isWithin(path, realPath(root, null) ?? root));
