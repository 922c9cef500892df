import type { Head } from "../store.ts";
import { Connection, type Session } from "./connection.ts";
import { storedDigest } from "./deployment-key.ts";
import { assertCurrent, newestVersion, readSchema } from "./migrate.ts";
import { chainOf } from "./receipts.ts";

/** A chain of the database and its newest receipt. */
export interface ChainHead extends Head {
  readonly chain: string;
  readonly epoch: number;
  /** The newest receipt's text; null before the first. */
  readonly receipt: string | null;
}

export interface ServerReport {
  readonly version: number;
  /** Digest of the deployment's key; null before the first start. */
  readonly keyDigest: string | null;
  readonly chains: readonly ChainHead[];
  /** Settings of the server with which a crash of its machine loses what was answered. */
  readonly losing: readonly string[];
}

/** Each of these has to be `on` for a committed receipt to survive a crash of the server's machine. */
const durabilitySettings = ["fsync", "full_page_writes"];

/** Throws StoreRefused and StoreFailed. */
export const inspectServer = async (address: string): Promise<ServerReport> => {
  const connection = new Connection(address);
  try {
    return await connection.exclusively(async (session) => {
      assertCurrent(await readSchema(session));
      return {
        version: newestVersion,
        keyDigest: await storedDigest(session),
        chains: await chainHeads(session),
        losing: await losingSettings(session),
      };
    });
  } finally {
    await connection.close();
  }
};

const chainHeads = async (session: Session): Promise<readonly ChainHead[]> => {
  const { rows } = await session.query("SELECT chain, epoch FROM interlock.chains ORDER BY created_ms, chain");
  const heads: ChainHead[] = [];
  for (const { chain, epoch } of rows) {
    const questions = chainOf(chain as string);
    const head = await questions.head(session);
    const row = head.seq === 0 ? null : await questions.find(session, head.seq);
    heads.push({ ...head, chain: chain as string, epoch: epoch as number, receipt: row?.receipt ?? null });
  }
  return heads;
};

const losingSettings = async (session: Session): Promise<readonly string[]> => {
  const off = "SELECT name FROM pg_settings WHERE name = ANY($1::text[]) AND setting = 'off' ORDER BY name";
  return (await session.query(off, [durabilitySettings])).rows.map(({ name }) => String(name));
};
