import type { Head } from "../store/store.ts";
import { readEnd, readHeader, readReceiptLine } from "./export-format.ts";
import { exportLines, NotLines } from "./export-lines.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { type ChainFinding, ChainWalk, type Verified } from "./verify.ts";

export interface ExportExpectations {
  /** Null takes the chain that the header names. */
  readonly chain: string | null;
  /** A head noted elsewhere; null compares with none. */
  readonly head: Head | null;
}

/**
 * Verifies an export by itself. The header and the end are the exporter's word: they show an export that was cut off or
 * put together wrongly, and prove nothing against somebody who writes them anew. `expect` does.
 */
export const verifyExport = async (
  chunks: AsyncIterable<Uint8Array>,
  expect: ExportExpectations,
  progress: (receipts: number) => void,
): Promise<Verified> => {
  let walk: ChainWalk | null = null;
  let chain = "";
  let receipts = 0;
  let end: Head | null = null;
  const found = (finding: ChainFinding): Verified => ({ whole: false, chain, finding });
  const here = (problem: ChainFinding["problem"]): Verified => found({ seq: (walk?.head.seq ?? 0) + 1, problem });
  try {
    for await (const line of exportLines(chunks)) {
      if (end !== null) return here("after_end");
      if (walk === null) {
        const header = readHeader(line);
        if (header === null) return here("no_header");
        chain = header.chain;
        if (expect.chain !== null && chain !== expect.chain) return here("wrong_chain");
        walk = new ChainWalk(chain, header.after, expect.head);
        continue;
      }
      end = readEnd(line);
      if (end !== null) continue;
      const row = readReceiptLine(line);
      const seq = row === null ? undefined : parseReceipt(row.receipt)?.seq;
      if (row === null || seq === undefined) return here("malformed");
      const finding = walk.take({ seq, ...row });
      if (finding !== null) return found(finding);
      receipts += 1;
      if (receipts % 65_536 === 0) progress(receipts);
    }
  } catch (error) {
    if (error instanceof NotLines) return here("malformed");
    throw error;
  }
  if (walk === null) return here("no_header");
  if (end?.seq !== walk.head.seq || end.hash !== walk.head.hash) return here("no_end");
  const finding = walk.end();
  return finding === null ? { whole: true, chain, head: walk.head, receipts } : found(finding);
};
