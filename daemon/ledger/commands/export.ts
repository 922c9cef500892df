import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import type { Head } from "../../store/store.ts";
import { endLine, headerLine, receiptLine } from "../export-format.ts";
import { beforeFirst, ChainWalk } from "../verify.ts";
import { CommandFailed, type CommandOutput, problemLine, refused, streaming } from "./output.ts";

/**
 * The receipts from `from` (1 for all) to the newest, as lines that a verifier reads alone. What does not verify is not
 * exported: the export then ends without its last line, and the command with exit code 1. Exit 2 for a `from` that the
 * chain does not have, 5 where there is no ledger.
 */
export const exportReceipts = async (place: ReceiptPlace, from: number): Promise<CommandOutput> => {
  if (!Number.isSafeInteger(from) || from < 1)
    return refused(ExitCode.refused, "an export begins at receipt 1 or later");
  return streaming(place, (reader) => exportLinesOf(reader, from));
};

async function* exportLinesOf(reader: ReceiptReader, from: number): AsyncGenerator<string> {
  const after = await headBefore(reader, from);
  const walk = new ChainWalk(reader.chain, after, null);
  yield headerLine({ chain: reader.chain, after });
  for await (const row of reader.rows(from, await reader.newestSeq())) {
    const finding = walk.take(row);
    if (finding !== null) throw new CommandFailed(ExitCode.no, problemLine(finding.seq, finding.problem));
    yield receiptLine(row);
  }
  yield endLine(walk.head);
}

const headBefore = async (reader: ReceiptReader, from: number): Promise<Head> => {
  if (from === 1) return beforeFirst;
  const row = await reader.find(from - 1);
  if (row === null) throw new CommandFailed(ExitCode.refused, `there is no receipt ${from - 1} to begin after`);
  return { seq: row.seq, hash: row.hash };
};
