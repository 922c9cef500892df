import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { packageRoot, type RunningDaemon, startDaemon } from "../../conformance/running-daemon.ts";
import type { GuardEnvironment } from "./run-suite.ts";
import { command } from "./source/command.ts";
import type { Suite } from "./suite.ts";

const built = (...path: readonly string[]): string => join(packageRoot(), ...path);
const hooks = "client-node/dist/client-node/intercept";

/** The suites keep every core busy: a question waits for a core, not for the daemon. */
const verdictWithin_s = "60";

/** A daemon that allows every call, by a signed rule. */
export const startAllowingDaemon = (): Promise<RunningDaemon> =>
  startDaemon({ rules: fileURLToPath(new URL("allow-all.ts", import.meta.url)) });

export const guardBy = ({ socket }: RunningDaemon, { preload }: Suite): GuardEnvironment => ({
  INTERLOCK_SOCKET: socket,
  INTERLOCK_TIMEOUT: verdictWithin_s,
  NODE_OPTIONS:
    preload === "--require"
      ? `--require "${built(hooks, "require-hook.cjs")}"`
      : `--import ${pathToFileURL(built(hooks, "esm-hook.js")).href}`,
});

/** How many calls it has judged: each leaves one receipt. */
export const judgedCalls = async ({ state }: RunningDaemon): Promise<number> => {
  const args = [built("dist/bin/interlock.js"), "receipts", "tail", "-n", "1", "--json", "--state", state];
  const line = (await command(process.execPath, args, { cwd: state })).trim();
  if (line === "") return 0;
  const { receipt } = JSON.parse(line) as { readonly receipt: string | { readonly seq: number } };
  const { seq } = typeof receipt === "string" ? (JSON.parse(receipt) as { readonly seq: number }) : receipt;
  return seq;
};
