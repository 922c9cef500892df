import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Settings } from "./config/settings.ts";
import { daemonVersion } from "./version.ts";

/** Who serves a state directory: what `interlock status` and `rules reload` find the daemon by. */
const statusSchema = z.strictObject({
  pid: z.int().positive(),
  socket: z.string(),
  version: z.string(),
  started: z.string(),
});

export type StatusFile = z.infer<typeof statusSchema>;

const pathIn = (state: string): string => join(state, "daemon.json");

export const writeStatusFile = ({ state, socket }: Settings): void => {
  const status: StatusFile = {
    pid: process.pid,
    socket,
    version: daemonVersion,
    started: new Date().toISOString(),
  };
  const path = pathIn(state);
  writeFileSync(`${path}.new`, `${JSON.stringify(status)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

export const removeStatusFile = ({ state }: Settings): void => rmSync(pathIn(state), { force: true });

/** Null where no daemon wrote one that can be read. A daemon that was killed leaves its own behind. */
export const readStatusFile = (state: string): StatusFile | null => {
  try {
    const parsed = statusSchema.safeParse(JSON.parse(readFileSync(pathIn(state), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};
