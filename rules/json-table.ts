import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { maxTableBytes } from "./limits.ts";
import type { Resolver } from "./types.ts";

/**
 * A resolver over a JSON file `{key: row}`. Read again whenever the file changed; a missing row is undefined. A file
 * that is missing, too large or not an object throws, and a rule that throws blocks.
 */
export const jsonTable = (path: string): Resolver => {
  const file = resolve(path);
  let seen: { readonly stamp: string; readonly rows: Readonly<Record<string, unknown>> } | undefined;
  return async (key) => {
    if (typeof key !== "string") return undefined;
    const handle = await open(file, "r");
    try {
      const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true });
      const stamp = `${dev}:${ino}:${size}:${mtimeNs}`;
      if (seen?.stamp !== stamp) {
        if (size > BigInt(maxTableBytes)) throw new RangeError(`a JSON table is larger than ${maxTableBytes} bytes`);
        const rows: unknown = JSON.parse(await handle.readFile("utf8"));
        if (typeof rows !== "object" || rows === null || Array.isArray(rows))
          throw new TypeError("a JSON table must be an object of rows");
        seen = { stamp, rows: rows as Readonly<Record<string, unknown>> };
      }
      return Object.hasOwn(seen.rows, key) ? seen.rows[key] : undefined;
    } finally {
      await handle.close();
    }
  };
};
