import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "./config/settings.ts";
import { daemonVersion } from "./version.ts";

/** Who serves a state directory: what `interlock status` and `rules reload` find the daemon by. */
export interface StatusFile {
  readonly pid: number;
  readonly socket: string;
  readonly version: string;
  /** ISO 8601. */
  readonly started: string;
  /** A daemon of an earlier version does not say. */
  readonly self_protection?: "on" | "off" | undefined;
}

export const statusFileIn = (state: string): string => join(state, "daemon.json");

export const writeStatusFile = ({ state, socket, self_protection }: Settings): void => {
  const status: StatusFile = {
    pid: process.pid,
    socket,
    version: daemonVersion,
    started: new Date().toISOString(),
    self_protection,
  };
  const path = statusFileIn(state);
  // Made anew, so that nothing is written through a link that stands in its place.
  rmSync(`${path}.new`, { force: true, recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(status)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
};

export const removeStatusFile = ({ state }: Settings): void => rmSync(statusFileIn(state), { force: true });
