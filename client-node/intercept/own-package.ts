import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const name = "interlock-guard";

const isNamed = (folder: string): boolean => {
  try {
    return JSON.parse(readFileSync(resolve(folder, "package.json"), "utf8")).name === name;
  } catch {
    return false;
  }
};

/** From `dist/client-node/intercept`, or the folder of a build that lies in no package. */
const packageOf = (here: string): string => {
  const folders = ["..", "../..", "../../.."].map((up) => resolve(here, up));
  return folders.find(isNamed) ?? (folders[1] as string);
};

/**
 * The folder that this package is in. The daemon does not know where that is: calls that lead there are marked (`own_path`), and
 * its rule `interlock.self.files` keeps them from altering it.
 */
export const ownPackage: string = realpathSync(packageOf(dirname(fileURLToPath(import.meta.url))));

const own = ownPackage.toLowerCase();

/** `inside`: this package or a part of it. `above`: a folder that holds it. Absolute paths; in any case, since a file system may not tell. */
export const ownRelation = (path: string): "inside" | "above" | null => {
  const at = path.toLowerCase();
  if (at === own || at.startsWith(`${own}/`)) return "inside";
  return own.startsWith(at === "/" ? at : `${at}/`) ? "above" : null;
};

const folderName = basename(own);

/** May this text of a command be about it? */
export const mayNameOwn = (text: string): boolean => {
  const lower = text.toLowerCase();
  return lower.includes(folderName) || lower.includes("node_modules");
};
