import { actionOf } from "./actions.ts";
import { fileSpec } from "./file-spec.ts";
import type { Member } from "./member.ts";
import { settledText } from "./path-argument.ts";

/** Each function of `fs` has a twin of these forms, all under one action, unless it is listed apart. */
const threefold: readonly string[] = [
  ...["readFile", "writeFile", "appendFile", "unlink", "rm", "rmdir", "rename", "mkdir", "readdir", "stat", "lstat"],
  ...["chmod", "chown", "copyFile", "cp", "symlink", "link", "truncate", "access", "realpath", "readlink", "utimes"],
  ...["open", "opendir", "mkdtemp", "lchown", "lchmod", "lutimes", "statfs"],
];

/** What Node's own functions call through the module, for the same path, before they return (seen on Node 20, 22 and 24). */
const inner: Readonly<Record<string, readonly string[]>> = {
  readFileSync: ["openSync"],
  writeFileSync: ["openSync"],
  appendFileSync: ["writeFileSync", "openSync"],
  truncateSync: ["openSync"],
  writeFile: ["open"],
  appendFile: ["writeFile", "open"],
  truncate: ["open"],
  exists: ["access"],
};

const each = (names: readonly string[], prefix: string, suffix: string): string[] =>
  names.map((name) => `${prefix}${name}${suffix}`);

const removing = ["lstat", "stat", "rmdir", "readdir", "unlink", "chmod", "rm"];
const copying = [
  ...["lstat", "stat", "mkdir", "opendir", "copyFile", "chmod", "readlink", "symlink", "unlink", "utimes", "rm"],
  ...["exists", "readdir", "access"],
];
const matching = ["lstat", "stat", "readdir", "realpath"];

/** Those that walk a tree in one call: what they are called with is judged, what they find there is not. */
const innerAnywhere: Readonly<Record<string, readonly string[]>> = {
  rmSync: each(removing, "", "Sync"),
  rmdirSync: each(removing, "", "Sync"),
  cpSync: each(copying, "", "Sync"),
  globSync: each(matching, "", "Sync"),
};

/** The same after they have returned. */
const later: Readonly<Record<string, readonly string[]>> = {
  realpath: ["lstat", "stat", "readlink"],
  rm: removing,
  rmdir: removing,
  cp: each(copying, "promises.", ""),
  glob: each(matching, "promises.", ""),
  "promises.rm": [...removing, ...each(removing, "promises.", "")],
  "promises.rmdir": [...removing, ...each(removing, "promises.", "")],
  "promises.cp": each(copying, "promises.", ""),
  "promises.glob": each(matching, "promises.", ""),
};

const member = (key: string, action: string): Member => {
  const isText = key === "realpath" || key === "realpathSync";
  const isCopied = !key.endsWith("Sync");
  const spec = fileSpec(actionOf(action), isCopied, isText ? settledText : undefined);
  return {
    key,
    spec,
    native: isText ? fileSpec(actionOf(action), isCopied) : undefined,
    inner: inner[key],
    innerAnywhere: innerAnywhere[key],
    later: later[key],
  };
};

const members = (names: readonly string[], key: (name: string) => string): readonly Member[] =>
  names.map((name) => member(key(name), name));

export const syncMembers: readonly Member[] = [
  ...members([...threefold, "glob"], (name) => `${name}Sync`),
  ...members(["watch", "watchFile"], (name) => name),
  member("mkdtempDisposableSync", "mkdtemp"),
];
export const callbackMembers: readonly Member[] = members([...threefold, "glob"], (name) => name);
export const promiseMembers: readonly Member[] = [
  ...members(threefold, (name) => `promises.${name}`),
  member("promises.mkdtempDisposable", "mkdtemp"),
];
export const iteratorMembers: readonly Member[] = members(["watch", "glob"], (name) => `promises.${name}`);
export const streamMembers: readonly Member[] = members(["createReadStream", "createWriteStream"], (name) => name);
export const blobMember: Member = member("openAsBlob", "openAsBlob");
export const existsMember: Member = member("exists", "exists");
export const existsSyncMember: Member = member("existsSync", "exists");
