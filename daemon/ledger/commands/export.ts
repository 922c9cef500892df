import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace, ReceiptReader } from "../../store/receipt-reader.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { logKey } from "../checkpoints/checkpoint.ts";
import { verifierKeyText } from "../checkpoints/verifier-key.ts";
import { checkpointLine, endLine, headerLine, receiptLine } from "../export-format.ts";
import { expectationsOf, type OwnProof, readOwnProof } from "../verification/own-proof.ts";
import { endOf, entriesOf, type LogEntry, readStoredLog, takeEntry, walkOf } from "../verification/stored-log.ts";
import type { ChainFinding } from "../verify.ts";
import { CommandFailed, type CommandOutput, problemLine, refused, streaming } from "./output.ts";

export interface ExportOptions {
  /** The first receipt; 1 for all that there are. */
  readonly from: number;
  /** Told the number of receipts now and then, for a long chain. */
  readonly progress: (receipts: number) => void;
}

/**
 * The receipts from `from` to the newest, and the checkpoints among them, as lines that a verifier reads alone. What does not
 * verify is not exported: the export then ends without its last line, and the command with exit code 1. Exit 2 for a `from`
 * that the chain does not have, 5 where there is no ledger. Throws Refusal and KeyRefused.
 */
export const exportReceipts = async (place: ReceiptPlace, options: ExportOptions): Promise<CommandOutput> => {
  if (!Number.isSafeInteger(options.from) || options.from < 1)
    return refused(ExitCode.refused, "an export begins at receipt 1 or later");
  return streaming(place, async function* (reader) {
    yield* exportLinesOf(reader, await readOwnProof(findStateDirectory(place.state).path), options);
  });
};

const assertWhole = (finding: ChainFinding | null): void => {
  if (finding !== null) throw new CommandFailed(ExitCode.no, problemLine(finding.seq, finding.problem));
};

async function* exportLinesOf(
  reader: ReceiptReader,
  own: OwnProof,
  { from, progress }: ExportOptions,
): AsyncGenerator<string> {
  const log = await readStoredLog(reader);
  const { after } = log.start;
  if (from > log.newest + 1) {
    throw new CommandFailed(ExitCode.refused, `there is no receipt ${from - 1} to begin after`);
  }
  const walk = walkOf(log, expectationsOf(own));
  assertWhole(walk.begin());
  const header = (): string => {
    const keys = own.keys.map((key) => verifierKeyText(logKey(reader.chain, key)));
    return headerLine({ chain: reader.chain, after: walk.head, frontier: walk.frontier(), keys });
  };
  // What was pruned cannot be exported: the log begins where it does.
  const begin = Math.max(from - 1, after.seq);
  if (begin === after.seq) yield header();
  for await (const entry of entriesOf(reader, log)) {
    assertWhole(takeEntry(walk, entry));
    if (walk.head.seq === begin && begin > after.seq && entry.kind === "receipt") yield header();
    else if (walk.head.seq >= begin) yield lineOf(entry);
    if (entry.kind === "receipt" && walk.receipts % 65_536 === 0) progress(walk.receipts);
  }
  assertWhole(endOf(walk, log));
  yield endLine(walk.head);
}

const lineOf = (entry: LogEntry): string =>
  entry.kind === "receipt" ? receiptLine(entry.row) : checkpointLine(entry.row.note);
