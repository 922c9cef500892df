import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptReader } from "../../store/sqlite/read-receipts.ts";
import type { Head } from "../../store/store.ts";
import { endLine, headerLine, receiptLine } from "../export-format.ts";
import { beforeFirst, ChainWalk } from "../verify.ts";
import { CommandFailed, type CommandOutput, problemLine, refused, streaming } from "./output.ts";

/**
 * The receipts from `from` (1 for all) to the newest, as lines that a verifier reads alone. What does not verify is not
 * exported: the export then ends without its last line, and the command with exit code 1. Exit 2 for a `from` that the
 * chain does not have, 5 where there is no ledger.
 */
export const exportReceipts = (statePath: string, from: number): CommandOutput => {
  if (!Number.isSafeInteger(from) || from < 1)
    return refused(ExitCode.refused, "an export begins at receipt 1 or later");
  return streaming(statePath, (reader) => exportLinesOf(reader, from));
};

function* exportLinesOf(reader: ReceiptReader, from: number): Generator<string> {
  const after = headBefore(reader, from);
  const walk = new ChainWalk(reader.chain, after, null);
  yield headerLine({ chain: reader.chain, after });
  for (const row of reader.rows(from, reader.newestSeq())) {
    const finding = walk.take(row);
    if (finding !== null) throw new CommandFailed(ExitCode.no, problemLine(finding.seq, finding.problem));
    yield receiptLine(row);
  }
  yield endLine(walk.head);
}

const headBefore = (reader: ReceiptReader, from: number): Head => {
  if (from === 1) return beforeFirst;
  const row = reader.find(from - 1);
  if (row === null) throw new CommandFailed(ExitCode.refused, `there is no receipt ${from - 1} to begin after`);
  return { seq: row.seq, hash: row.hash };
};
