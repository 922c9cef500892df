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
  /** Why no checkpoint can be made; null where they are. */
  readonly unsigned?: string | null | undefined;
}

export const statusFileIn = (state: string): string => join(state, "daemon.json");

/** What a daemon tells of itself while it serves. */
export type ToldStatus = Pick<StatusFile, "started" | "unsigned">;

export const writeStatusFile = (
  { state, socket, self_protection }: Settings,
  { started, unsigned }: ToldStatus,
): void => {
  const status: StatusFile = {
    pid: process.pid,
    socket,
    version: daemonVersion,
    started,
    self_protection,
    unsigned,
  };
  const path = statusFileIn(state);
  // Made anew, so that nothing is written through a link that stands in its place.
  rmSync(`${path}.new`, { force: true, recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(status)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
};

/** The same while it serves: where the file cannot be written, the log has said it. */
export const rewriteStatusFile = (settings: Settings, told: ToldStatus): void => {
  try {
    writeStatusFile(settings, told);
  } catch {
    // A full disk is why it is told, as likely as not.
  }
};

export const removeStatusFile = ({ state }: Settings): void => rmSync(statusFileIn(state), { force: true });
