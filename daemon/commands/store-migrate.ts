import type { Settings } from "../config/settings.ts";
import { ExitCode } from "../exit-codes.ts";
import { embeddedStore, printableAddress } from "../store/postgres/address.ts";
import type { RowsOnTheWay } from "../store/postgres/migrate.ts";
import type { CommandResult } from "./command-result.ts";

export interface MigrateRequest {
  /** The version to go down to, or null to go up to this release's. */
  readonly down: number | null;
  readonly rows: RowsOnTheWay;
  readonly now_ms: number;
}

type Chosen = Pick<Settings, "store" | "deployment_key">;

/**
 * `interlock store migrate`: brings the database up to this release's schema, or down. Exit 0; 2 for a version that is
 * none; throws StoreRefused and StoreFailed (5).
 */
export const storeMigrate = async (settings: Chosen, request: MigrateRequest): Promise<CommandResult> => {
  if (settings.store === embeddedStore) {
    const line = "sqlite: nothing to do; a start brings the ledger of an older release along";
    return { exitCode: ExitCode.done, lines: [line], json: { ok: true, store: embeddedStore } };
  }
  const { newestVersion } = await import("../store/postgres/migrate.ts");
  const { down } = request;
  if (down !== null && !(Number.isSafeInteger(down) && down >= 0 && down <= newestVersion)) {
    const message = `--down takes a version from 0 (nothing of ours) to ${newestVersion}`;
    return { exitCode: ExitCode.refused, lines: [message], json: { ok: false, message } };
  }
  return migrateServer(settings, request);
};

const migrateServer = async (
  { store, deployment_key }: Chosen,
  { down, rows, now_ms }: MigrateRequest,
): Promise<CommandResult> => {
  const { Connection } = await import("../store/postgres/connection.ts");
  const { migrateDown, migrateUp, newestVersion } = await import("../store/postgres/migrate.ts");
  const { deploymentKey } = await import("../store/postgres/deployment-key.ts");
  const connection = new Connection(store);
  try {
    const { done, version } = await connection.exclusively(async (session) => {
      if (down !== null) return { done: await migrateDown(session, down, rows), version: down };
      const up = await migrateUp(session, now_ms);
      await deploymentKey(session, deployment_key, now_ms);
      return { done: up, version: newestVersion };
    });
    const verb = down === null ? "done" : "taken back";
    const steps = done.map(({ id, name }) => `${verb}: ${id} ${name}`);
    const address = printableAddress(store);
    return {
      exitCode: ExitCode.done,
      lines: [
        ...(steps.length === 0 ? ["nothing to do"] : steps),
        `schema ${version} of ${newestVersion} in ${address}`,
      ],
      json: { ok: true, store: address, version, steps: done.map(({ id, name }) => ({ id, name })) },
    };
  } finally {
    await connection.close();
  }
};
