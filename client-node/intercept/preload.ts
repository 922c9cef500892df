import { writeSync } from "node:fs";
import { isError } from "../error-name.ts";
import { oneLine } from "../one-line.ts";
import { RemoteEngine } from "../remote-engine.ts";
import type { BridgeThread } from "./bridge-thread.ts";
import { installWith } from "./install.ts";
import { engineOptions, preloadSettings } from "./preload-settings.ts";

/** Guards this thread before the program runs, or ends the process: it does not start unguarded. */
export const preload = (begun: BridgeThread | null): void => {
  try {
    const settings = preloadSettings(process.env);
    const { socketPath, principal, enforcement, groups } = settings;
    const engine = new RemoteEngine(socketPath, engineOptions(settings));
    installWith({ engine, enforcement, principal, ...groups }, begun);
  } catch (error) {
    writeSync(2, `interlock-guard: ${oneLine(isError(error) ? error.message : String(error))}\n`);
    process.exit(2);
  }
};
