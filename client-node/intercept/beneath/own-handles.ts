import { isOwnSocket } from "../../own-sockets.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";

/** `process._getActiveHandles()` without the guard's own connection: whoever has its socket can answer in the daemon's place. */
export const hideOwnHandles = (patches: Patches): void => {
  for (const key of ["_getActiveHandles", "_getActiveRequests"]) {
    patches.replace(process, key, (original: AnyFunction) => {
      function filtered(this: unknown, ...args: unknown[]): unknown {
        const all = Reflect.apply(original, this, args) as unknown[];
        // In the program's own list, and by no method that the program could have replaced.
        let kept = 0;
        for (let at = 0; at < all.length; at++) if (!isOwn(all[at])) all[kept++] = all[at];
        all.length = kept;
        return all;
      }
      return faced(filtered, original);
    });
  }
};

const isOwn = (value: unknown): boolean => isOwnSocket(value) || isOwnSocket(ownerOf(value));

/** A request names its handle, and a handle its socket. */
const ownerOf = (value: unknown): unknown => {
  const handle = partOf(value, "handle");
  return partOf(handle ?? value, "owner_symbol");
};

const partOf = (value: unknown, name: string): unknown => {
  if (typeof value !== "object" || value === null) return undefined;
  const symbol = Object.getOwnPropertySymbols(value).find(({ description }) => description === name);
  return Reflect.get(value, symbol ?? name);
};
