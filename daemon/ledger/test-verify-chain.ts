import type { Head } from "../store/store.ts";
import { beforeFirst, type ChainFinding, ChainWalk, type StoredReceipt } from "./verify.ts";

export type Verified =
  | { readonly whole: true; readonly chain: string; readonly head: Head; readonly receipts: number }
  | { readonly whole: false; readonly chain: string; readonly finding: ChainFinding };

/**
 * For tests: verifies a whole chain from its first receipt, without what was signed of it. `expected` is a head that was noted
 * elsewhere; `progress` is told the count every 65,536 receipts.
 */
export const verifyChain = (
  chain: string,
  rows: Iterable<StoredReceipt>,
  expected: Head | null,
  progress: (receipts: number) => void,
): Verified => {
  const walk = new ChainWalk(chain, beforeFirst, expected);
  let receipts = 0;
  for (const row of rows) {
    const finding = walk.take(row);
    if (finding !== null) return { whole: false, chain, finding };
    receipts += 1;
    if (receipts % 65_536 === 0) progress(receipts);
  }
  const finding = walk.end();
  return finding === null ? { whole: true, chain, head: walk.head, receipts } : { whole: false, chain, finding };
};
