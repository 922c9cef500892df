import type { Engine } from "../guard-options.ts";
import type { EngineAddress } from "../known-engines.ts";
import type { ClosableSyncEngine, SyncEngine } from "./ask.ts";
import type { BridgeThread } from "./bridge-thread.ts";
import { SyncBridge } from "./sync-bridge.ts";

/**
 * What answers the calls that do not wait: the program's own engine, whose counts it may read. A preload's has nobody else, and its socket
 * would be in the program's thread: there the thread that was begun for it answers both.
 */
export const engineOf = (engine: Engine, bridge: ClosableSyncEngine | null, begun: BridgeThread | null): Engine =>
  begun !== null && bridge instanceof SyncBridge ? bridge : engine;

/** What answers synchronous calls: the engine itself where it can, else a twin of a `RemoteEngine` in a thread of its own. */
export const syncEngineOf = (
  engine: Engine,
  address: EngineAddress | null,
  begun: BridgeThread | null,
): ClosableSyncEngine | null => {
  const { evaluateSync } = engine as Partial<SyncEngine>;
  if (typeof evaluateSync === "function") return { evaluateSync: evaluateSync.bind(engine), close: () => {} };
  return address === null ? null : new SyncBridge(address, begun);
};
