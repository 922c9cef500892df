import { StoreFailed, StoreRefused } from "../refused.ts";
import type { StateDirectory } from "../state-directory.ts";
import { printableAddress } from "./address.ts";
import { Connection, type Session } from "./connection.ts";
import { deploymentKey } from "./deployment-key.ts";
import { assertCurrent, migrateUp, readSchema } from "./migrate.ts";
import { openChain, openingName, reopenChain } from "./open-chain.ts";
import type { Writer } from "./receipts.ts";
import { postgresStore } from "./store.ts";

export interface PostgresPlace {
  /** `postgres://...` */
  readonly address: string;
  /** Where the key lies that all daemons of this database share. */
  readonly deploymentKeyPath: string;
  readonly directory: StateDirectory;
}

/**
 * Opens the store of one daemon: an empty database is given its schema, another version of it is refused; then the
 * deployment's key, then the chain. Throws StoreRefused.
 */
export const openPostgresStore = async (place: PostgresPlace, expectChain: string | null, now_ms: number) => {
  const { address, deploymentKeyPath, directory } = place;
  const opening = openingName();
  const current: { writer?: Writer } = {};
  const writing = new Connection(address, async (session) => {
    if (current.writer !== undefined) current.writer = await reopenChain(session, current.writer.chain, opening);
  });
  const reading = new Connection(address);
  const open = async (session: Session): Promise<{ readonly writer: Writer; readonly key: Uint8Array }> => {
    const schema = await readSchema(session);
    if (schema.kind === "empty") await migrateUp(session, now_ms);
    else assertCurrent(schema);
    const key = await deploymentKey(session, deploymentKeyPath, now_ms);
    const writer = await openChain(session, directory.chainPath, expectChain, opening, now_ms);
    current.writer = writer;
    return { writer, key };
  };
  try {
    const { writer, key } = await writing.exclusively(open);
    return { store: postgresStore(writer.chain, writing, reading, () => current.writer ?? writer), key };
  } catch (error) {
    await Promise.all([writing.close(), reading.close()]);
    if (!(error instanceof StoreFailed)) throw error;
    throw new StoreRefused("store_unavailable", `cannot open ${printableAddress(address)}: ${error.message}`);
  }
};
