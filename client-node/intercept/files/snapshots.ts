import v8 from "node:v8";
import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import type { Patches } from "../patch.ts";
import type { AnyFunction } from "../wrap.ts";
import { heldFile, requireFile } from "./required-file.ts";

/** Heap snapshots that V8 writes: `{path, resolved_path?}`; without a name it writes into the working directory, and `path` is `.`. */
export const guardSnapshots = (patches: Patches, guard: Guard): void => {
  patches.replace(v8, "writeHeapSnapshot", (original: AnyFunction) => {
    const action = "v8.writeHeapSnapshot";
    function guarded(this: unknown, given: unknown, ...rest: unknown[]): unknown {
      const path = heldFile(action, given);
      requireFile(guard, action, isPath(path) ? path : ".");
      return Reflect.apply(original, this, [path, ...rest]);
    }
    return faced(guarded, original);
  });
  patches.replace(v8, "setHeapSnapshotNearHeapLimit", (original: AnyFunction) => {
    function guarded(this: unknown, limit: unknown, ...rest: unknown[]): unknown {
      if (typeof limit === "number") requireFile(guard, "v8.setHeapSnapshotNearHeapLimit", ".", { limit });
      return Reflect.apply(original, this, [limit, ...rest]);
    }
    return faced(guarded, original);
  });
};

const isPath = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;
