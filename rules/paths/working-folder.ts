import type { WireObject } from "../../wire/value.ts";

/** What tools call the folder that their relative paths are read from. */
const names: ReadonlySet<string> = new Set([
  "cwd",
  "workdir",
  "workingdir",
  "workingdirectory",
  "currentdirectory",
  "chdir",
  "basedir",
  "basedirectory",
  "basepath",
  "rootdir",
  "rootdirectory",
  "rootpath",
]);

/** More are taken for the ones that were looked at: nobody reads a path from five folders. */
const mostFolders = 4;

/**
 * Where relative paths of a call may be read from: the directory that is known, and each folder that an argument names for it. A tool
 * may heed such an argument or not, so that a path has to be right by all of them. A null is a directory that is not known.
 */
export const workingFolders = (args: WireObject, directory: string | null): readonly (string | null)[] => {
  const folders: (string | null)[] = [directory];
  for (const name of Object.keys(args)) {
    const folder = args[name];
    if (typeof folder !== "string" || folder === "" || !names.has(plain(name))) continue;
    if (folders.length > mostFolders) break;
    folders.push(folder.startsWith("/") || directory === null ? folder : `${directory}/${folder}`);
  }
  return folders;
};

const plain = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();
