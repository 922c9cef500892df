import {
  blobMember,
  callbackMembers,
  existsMember,
  existsSyncMember,
  iteratorMembers,
  promiseMembers,
  streamMembers,
  syncMembers,
} from "./members.ts";

const named = (keys: readonly string[]): string[] => keys.map((key) => `fs.${key}`);

/** Functions that work on a descriptor. It was judged when it was opened; they, and the methods of `FileHandle` and `Dir`, are not asked for. */
const byDescriptor: readonly string[] = [
  ...["close", "fchmod", "fchown", "fdatasync", "fstat", "fsync", "ftruncate", "futimes", "read", "readv", "write"],
  "writev",
].flatMap((name) => [name, `${name}Sync`]);

/** Classes that open their file with `fs.open` of the module, under whose action they are judged when they do. */
const byOpen: readonly string[] = ["ReadStream", "WriteStream", "FileReadStream", "FileWriteStream", "Utf8Stream"];

/** Every function of `fs` that is judged, in itself or by the opening of what it works on. */
export const covers: readonly string[] = named([
  ...[...syncMembers, ...callbackMembers, ...promiseMembers, ...iteratorMembers, ...streamMembers].map(
    ({ key }) => key,
  ),
  ...[blobMember, existsMember, existsSyncMember].map(({ key }) => key),
  ...["realpath.native", "realpathSync.native"],
  ...byDescriptor,
  ...byOpen,
]);

/** What `fs` exports besides, and why nothing is asked for it. */
export const outOfScope: Readonly<Record<string, string>> = {
  "fs.unwatchFile": "ends a watch that was judged; reaches no file",
  "fs.Dir": "needs a handle of Node's own, which `opendir` gives",
  "fs.Dirent": "describes an entry of a folder that was judged",
  "fs.Stats": "describes a file that was judged",
  "fs._toUnixTimestamp": "converts a time",
  "fs.constants": "numbers",
  "fs.F_OK": "a number",
  "fs.R_OK": "a number",
  "fs.W_OK": "a number",
  "fs.X_OK": "a number",
  "fs.promises": "its members are listed one by one",
  "fs.promises.constants": "numbers",
};
