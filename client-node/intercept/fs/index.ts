import fs from "node:fs";
import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";
import { guardExists, guardExistsSync } from "./existence.ts";
import { guardFileCallback, guardFilePromise, guardFileSync } from "./forms.ts";
import { guardBlob, guardIterator, guardStream } from "./handles.ts";
import type { AnyFunction, Member } from "./member.ts";
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

type Form = (original: AnyFunction, member: Member, guard: Guard) => AnyFunction;

/** Guards `fs` and `fs.promises`, which is `fs/promises` too. */
export const install = (patches: Patches, guard: Guard, _options: GroupOptions): void => {
  const open = fs.open;
  const stream: Form = (original, member) =>
    guardStream(original, member, guard, {
      open: open as AnyFunction,
      flags: member.key === "createReadStream" ? "r" : "w",
    });
  const forms: readonly (readonly [readonly Member[], Form])[] = [
    [syncMembers, guardFileSync],
    [callbackMembers, guardFileCallback],
    [promiseMembers, guardFilePromise],
    [iteratorMembers, guardIterator],
    [streamMembers, stream],
    [[blobMember], guardBlob],
    [[existsMember], guardExists],
    [[existsSyncMember], guardExistsSync],
  ];
  for (const [members, form] of forms) {
    for (const member of members) {
      const [object, key] = placeOf(member.key);
      patches.replace(object, key, (original: AnyFunction) => form(original, member, guard));
    }
  }
};

const placeOf = (key: string): readonly [object, string] =>
  key.startsWith("promises.") ? [fs.promises, key.slice("promises.".length)] : [fs, key];
