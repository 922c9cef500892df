import type { Guard } from "../ask.ts";
import { faced } from "../exec/face.ts";
import { loadQuietly } from "../load-quietly.ts";
import type { Patches } from "../patch.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { AnyFunction } from "../wrap.ts";
import { requireFile } from "./required-file.ts";

const action = "wasi.WASI";

interface Wasi {
  readonly WASI: { readonly prototype: object };
}

/** `new WASI({preopens})`: each folder that a WebAssembly program is given is asked for, as `wasi.WASI {path, resolved_path?, guest}`. */
export const guardWasi = (patches: Patches, guard: Guard): void => {
  const wasi = loadQuietly<Wasi>("wasi");
  if (wasi === null) return;
  const { module, warn } = wasi;
  patches.replace(module, "WASI", (original: AnyFunction) => {
    function guarded(this: unknown, ...args: unknown[]): unknown {
      warn();
      if (new.target === undefined) return Reflect.apply(original, this, args);
      const held = refusedArguments(action, () => heldOptions(args[0]));
      const { preopens } = (held ?? {}) as { readonly preopens?: unknown };
      if (typeof preopens === "object" && preopens !== null) {
        for (const [guest, path] of Object.entries(preopens)) requireFile(guard, action, path as string, { guest });
      }
      return Reflect.construct(
        original,
        [held, ...args.slice(1)],
        (new.target as unknown) === guarded ? original : new.target,
      );
    }
    return faced(guarded, original);
  });
  patches.replace(module.WASI.prototype, "constructor", () => module.WASI);
};

/** A copy, read once. Node makes text of what it is given as a folder, and takes own names only. */
const heldOptions = (options: unknown): unknown => {
  if (typeof options !== "object" || options === null) return options;
  const held: Record<string, unknown> = {};
  for (const key in options) held[key] = (options as Record<string, unknown>)[key];
  const { preopens } = held;
  if (typeof preopens === "object" && preopens !== null && !Array.isArray(preopens)) {
    held.preopens = Object.fromEntries(Object.entries(preopens).map(([guest, path]) => [guest, `${path as string}`]));
  }
  return held;
};
