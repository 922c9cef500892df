import type { Action } from "./file-spec.ts";

const action = (name: string, fields: readonly string[], kept: readonly string[] = []): Action =>
  Object.freeze({ name: `fs.${name}`, fields, kept });

const withOptions = (...names: readonly string[]): Action[] => names.map((name) => action(name, ["path", "options"]));

/**
 * The actions, and the names of their arguments by position. The first 24 are those of the wire's version 1; those below them are made
 * in the same manner. Each is asked for the callback form, the one of `fs.promises` and the `Sync` one alike.
 */
export const actions: readonly Action[] = [
  ...withOptions("readFile", "readdir", "stat", "mkdir", "realpath", "opendir"),
  action("writeFile", ["path", "data", "options"]),
  action("appendFile", ["path", "data", "options"]),
  action("unlink", ["path"], ["path"]),
  action("rm", ["path", "options"], ["path"]),
  action("rmdir", ["path", "options"], ["path"]),
  action("rename", ["path", "dest"], ["path", "dest"]),
  action("lstat", ["path", "options"], ["path"]),
  action("readlink", ["path", "options"], ["path"]),
  action("chmod", ["path", "mode"]),
  action("chown", ["path", "uid", "gid"]),
  action("copyFile", ["path", "dest", "mode"]),
  action("cp", ["path", "dest", "options"], ["path"]),
  action("symlink", ["target", "path", "type"], ["path"]),
  action("link", ["path", "dest"], ["path", "dest"]),
  action("truncate", ["path", "len"]),
  action("access", ["path", "mode"]),
  action("utimes", ["path", "atime", "mtime"]),
  action("open", ["path", "flags", "mode"]),
  // Not in version 1.
  ...withOptions("statfs", "openAsBlob", "watch", "watchFile", "createReadStream", "createWriteStream"),
  action("exists", ["path"]),
  action("mkdtemp", ["path", "options"], ["path"]),
  action("lchown", ["path", "uid", "gid"], ["path"]),
  action("lchmod", ["path", "mode"], ["path"]),
  action("lutimes", ["path", "atime", "mtime"], ["path"]),
  action("glob", ["pattern", "options"]),
];

export const actionOf = (name: string): Action => {
  const found = actions.find((each) => each.name === `fs.${name}`);
  if (found === undefined) throw new TypeError(`there is no action fs.${name}`);
  return found;
};
