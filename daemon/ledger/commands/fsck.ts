import { ExitCode } from "../../exit-codes.ts";
import { embeddedStore } from "../../store/postgres/address.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import { checkSqliteStore } from "../../store/sqlite/check-store.ts";
import { findStateDirectory, type StateDirectory } from "../../store/state-directory.ts";
import { type StoreFinding, storeProblems } from "../../store/store-finding.ts";
import { checkCheckpoints } from "../fsck/check-checkpoints.ts";
import { checkFiles } from "../fsck/check-files.ts";
import { readOwnProof } from "../verification/own-proof.ts";
import { type CommandOutput, done, reading } from "./output.ts";

/** So many are told; a store with more is to be restored, not read about. */
const maxFindings = 1_000;

/**
 * Looks at the store itself, and repairs nothing: files, rows, journal, checkpoints, marks. What the receipts say is for
 * `verify`. Exit 0; 1 where anything is found; 5 where there is no ledger, or it cannot even be opened. Throws Refusal and
 * KeyRefused.
 */
export const fsck = (place: ReceiptPlace, { json }: { readonly json: boolean }): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const directory = findStateDirectory(place.state);
    const findings: StoreFinding[] = [];
    for await (const finding of findingsOf(place, directory, reader)) {
      findings.push(finding);
      if (findings.length === maxFindings) break;
    }
    const exitCode = findings.length === 0 ? ExitCode.done : ExitCode.no;
    if (json) return { exitCode, lines: [JSON.stringify({ findings, ok: findings.length === 0 })], error: null };
    if (findings.length === 0) return done([`chain ${reader.chain}: nothing is wrong with its store`]);
    const lines = findings.map(({ problem, where }) => `${where}: ${problem} (${storeProblems[problem]})`);
    return { exitCode, lines, error: null };
  });

async function* findingsOf(
  { store }: ReceiptPlace,
  directory: StateDirectory,
  reader: ReceiptReader,
): AsyncGenerator<StoreFinding> {
  const { kept } = await readOwnProof(directory.path);
  const isSigned = kept !== null || (await reader.checkpointThrough(Number.MAX_SAFE_INTEGER)) !== null;
  const signing = isSigned ? ["checkpoint", "receipts.key", "receipts.key.pub"] : [];
  if (store === embeddedStore) {
    yield* checkFiles(directory, ["ledger.db", "store.key", ...signing]);
    yield* checkSqliteStore(directory);
  } else {
    yield* checkFiles(directory, ["chain", ...signing]);
    const { checkPostgresStore } = await import("../../store/postgres/check-store.ts");
    yield* checkPostgresStore(store, directory);
  }
  yield* checkCheckpoints(reader, kept);
}
