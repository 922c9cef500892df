import type { Settings } from "../config/settings.ts";
import { ExitCode } from "../exit-codes.ts";
import { receiptHash } from "../ledger/hash.ts";
import { parseReceipt } from "../ledger/parse-receipt.ts";
import { embeddedStore, printableAddress } from "../store/postgres/address.ts";
import { StoreRefused } from "../store/refused.ts";
import { keyDigest } from "../store/sqlite/key-digest.ts";
import { ledgerExists, openDatabase } from "../store/sqlite/open-database.ts";
import { openReceiptReader } from "../store/sqlite/read-receipts.ts";
import { schemaVersion } from "../store/sqlite/schema.ts";
import { findStateDirectory } from "../store/state-directory.ts";
import { readStoreKey } from "../store/store-key.ts";
import type { CommandResult } from "./command-result.ts";

type Chosen = Pick<Settings, "state" | "store" | "deployment_key">;

/** What is looked at: the same of either store. */
interface Found {
  readonly place: string;
  readonly version: number;
  readonly keyPath: string;
  readonly keyDigest: string | null;
  readonly chains: readonly {
    readonly chain: string;
    readonly seq: number;
    readonly hash: string;
    readonly receipt: string | null;
  }[];
  readonly warnings: readonly string[];
}

/**
 * `interlock store check`: the schema is this release's, the key is the one of the store, and the newest receipt of each
 * chain is whole. Exit 0; 1 where one is not; throws StoreRefused and StoreFailed (5). The whole of a chain is verified
 * by `interlock receipts verify`.
 */
export const storeCheck = async (settings: Chosen): Promise<CommandResult> => {
  const found = settings.store === embeddedStore ? embedded(settings) : await served(settings);
  const key = keyFinding(found);
  const chains = found.chains.map((head) => ({ ...head, finding: headFinding(head) }));
  const findings = [key, ...chains.map(({ finding }) => finding)].filter((finding) => finding !== null);
  return {
    exitCode: findings.length === 0 ? ExitCode.done : ExitCode.no,
    lines: [
      `store ${found.place}`,
      `schema ${found.version}`,
      key ?? `key ${found.keyPath} is the one of this store`,
      ...chains.map(({ chain, seq, finding }) => finding ?? `chain ${chain}: ${seq} receipts, the newest is whole`),
      ...found.warnings,
    ],
    json: {
      ok: findings.length === 0,
      store: found.place,
      version: found.version,
      chains: chains.map(({ chain, seq, hash, finding }) => ({ chain, seq, hash, whole: finding === null })),
      findings,
      warnings: found.warnings,
    },
  };
};

const keyFinding = ({ keyPath, keyDigest: stored }: Found): string | null => {
  const key = readStoreKey(keyPath);
  if (key === null) return `key ${keyPath} is missing`;
  return stored === keyDigest(key) ? null : `key ${keyPath} is not the one of this store`;
};

const headFinding = ({ chain, seq, hash, receipt }: Found["chains"][number]): string | null => {
  if (seq === 0) return null;
  const parsed = receipt === null ? null : parseReceipt(receipt);
  const isWhole = parsed?.seq === seq && parsed.chain === chain && receipt !== null && receiptHash(receipt) === hash;
  return isWhole ? null : `chain ${chain}: receipt ${seq}, its newest, is damaged`;
};

const embedded = ({ state }: Chosen): Found => {
  const directory = findStateDirectory(state);
  if (!ledgerExists(directory.ledgerPath)) {
    throw new StoreRefused("ledger_missing", `there is no ledger in ${directory.path}`);
  }
  const { db, identity } = openDatabase(directory.ledgerPath, "read");
  db.close();
  const reader = openReceiptReader(directory);
  const seq = reader.newestSeq();
  const row = reader.find(seq);
  reader.close();
  return {
    place: directory.ledgerPath,
    version: schemaVersion,
    keyPath: directory.keyPath,
    keyDigest: identity.keyDigest,
    chains: [{ chain: reader.chain, seq, hash: row?.hash ?? "", receipt: row?.receipt ?? null }],
    warnings: [],
  };
};

const served = async ({ store, deployment_key }: Chosen): Promise<Found> => {
  const { inspectServer } = await import("../store/postgres/check.ts");
  const { losing, ...report } = await inspectServer(store);
  return {
    ...report,
    place: printableAddress(store),
    keyPath: deployment_key,
    warnings: losing.map((name) => `WARNING: ${name} is off in PostgreSQL: a crash of its machine loses receipts`),
  };
};
