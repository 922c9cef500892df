import type { Guard } from "../ask.ts";
import type { GroupOptions } from "../group.ts";
import type { Patches } from "../patch.ts";
import { guardCryptoEngines } from "./crypto-engines.ts";
import { guardEngineFlags } from "./engine-flags.ts";
import { guardInspector } from "./inspector.ts";
import { hideOwnHandles } from "./own-handles.ts";
import { guardThreadHandle } from "./thread-handle.ts";

/** What reaches beneath the guard: debuggers, flags of V8, native engines, and the guard's own connection. */
export const install = (patches: Patches, guard: Guard, _options: GroupOptions): void => {
  guardInspector(patches, guard);
  guardEngineFlags(patches, guard);
  guardCryptoEngines(patches, guard);
  guardThreadHandle(patches, guard);
  hideOwnHandles(patches);
};
