import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freshDatabase } from "../../../test/kit/services/services.ts";
import { openStateDirectory } from "../state-directory.ts";
import type { PostgresPlace } from "./open-store.ts";

/** What one daemon is given of a database. They share a key where they are given the same folder for it. */
export const daemonOf = (address: string, keyFolder: string): PostgresPlace => ({
  address,
  deploymentKeyPath: join(keyFolder, "deployment.key"),
  directory: openStateDirectory(join(testFolder(), "state")),
});

/** A folder of mode 0700 that goes when the test ends. */
export const testFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-postgres-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A daemon with a database of its own. */
export const freshDaemon = async (): Promise<PostgresPlace> => daemonOf(await freshDatabase(), testFolder());
