import { writeSync } from "node:fs";
import { oneLine } from "../one-line.ts";
import { RemoteEngine } from "../remote-engine.ts";
import { installInterceptors } from "./install.ts";
import { preloadSettings } from "./preload-settings.ts";

/** Guards this thread before the program runs, or ends the process: it does not start unguarded. */
export const preload = (): void => {
  try {
    const { socketPath, principal, timeout, token, enforcement, groups } = preloadSettings(process.env);
    const engine = new RemoteEngine(socketPath, {
      principal,
      ...(timeout === undefined ? {} : { timeout }),
      ...(token === null ? {} : { token }),
    });
    installInterceptors({ engine, enforcement, principal, ...groups });
  } catch (error) {
    writeSync(2, `interlock-guard: ${oneLine(error instanceof Error ? error.message : String(error))}\n`);
    process.exit(2);
  }
};
