import { guarded, of, outOfScope, type Row } from "../coverage/row.ts";
import type { Member } from "./member.ts";
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

const members = (): readonly Member[] => [
  ...[...syncMembers, ...callbackMembers, ...promiseMembers, ...iteratorMembers, ...streamMembers],
  ...[blobMember, existsMember, existsSyncMember],
];

/** One row for each action: its callback, promise and `Sync` forms. */
const byAction = (): readonly Row[] => {
  const names = new Map<string, string[]>();
  for (const { key, spec, native } of members()) {
    const those = names.get(spec.action) ?? [];
    names.set(spec.action, those);
    those.push(`fs.${key}`);
    if (native !== undefined) those.push(`fs.${key}.native`);
  }
  return [...names].map(([action, those]) => guarded("fs", action, ...those));
};

/** Every function of `fs`, judged in itself or by the opening of what it works on; and the rest, with the reason. */
export const scope = (): readonly Row[] => [
  ...byAction(),
  // By a descriptor, which was judged when it was opened.
  guarded(
    "fs",
    "fs.open",
    ...of("fs", "close fchmod fchown fdatasync fstat fsync ftruncate futimes read readv write writev").flatMap(
      (name) => [name, `${name}Sync`],
    ),
    ...of(
      "fs.promises.FileHandle.prototype",
      "appendFile chmod chown close createReadStream createWriteStream datasync pull pullSync read readFile readLines readableWebStream readv stat sync truncate utimes write writeFile writer writev fd getAsyncId",
    ),
    // They open their file with `fs.open` of the module.
    ...of("fs", "ReadStream WriteStream FileReadStream FileWriteStream Utf8Stream"),
    ...of("fs.ReadStream.prototype", "open close _construct _read _destroy autoClose pending"),
    ...of("fs.WriteStream.prototype", "open close _construct _write _writev _destroy destroySoon autoClose pending"),
    ...of(
      "fs.Utf8Stream.prototype",
      "write flush flushSync reopen end destroy mode file fd minLength maxLength writing sync fsync append periodicFlush contentMode mkdir",
    ),
  ),
  guarded(
    "fs",
    "fs.opendir",
    ...of("fs.Dir.prototype", "path read processReadResult readSyncRecursive readSync close closeSync entries"),
  ),
  outOfScope("ends a watch that was judged; reaches no file", "fs.unwatchFile"),
  outOfScope("describes what was judged, or needs a handle of Node's own", ...of("fs", "Dir Dirent Stats")),
  outOfScope("converts a time, or is a list of numbers", ...of("fs", "_toUnixTimestamp constants F_OK R_OK W_OK X_OK")),
  outOfScope("its members are listed one by one", "fs.promises"),
  outOfScope("numbers", "fs.promises.constants"),
];
