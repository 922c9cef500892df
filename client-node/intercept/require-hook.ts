// `node --require interlock-guard/require-hook app.cjs`, and what worker threads and child processes are given. Compiled into
// CommonJS files, because Node 20 cannot require a module, and does not `--import` into a worker that runs a text.
//
// The bridge's thread takes longest to begin, and a program's first act is synchronous (it loads its files): so it begins here,
// while the rest of the guard is being read. That is run in a realm of its own.
import { engineSettings } from "../engine-options.ts";
import { type BridgeThread, startBridgeThread } from "./bridge-thread.ts";
import { engineOptions, preloadSettings } from "./preload-settings.ts";
import { inOwnRealm } from "./realm/realm.ts";

type Preload = typeof import("./preload.ts");

const begun = (): BridgeThread | null => {
  try {
    const settings = preloadSettings(process.env);
    return startBridgeThread(settings.socketPath, engineSettings(settings.socketPath, engineOptions(settings)));
  } catch {
    // The same settings are refused below, where it is said why.
    return null;
  }
};

const thread = begun();
const { preload } = inOwnRealm(new URL("./own-realm.cjs", import.meta.url)) as Preload;
preload(thread);
