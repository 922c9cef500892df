import type { ReceiptReader } from "../../store/receipt-reader.ts";
import { consistencyNodes } from "../tree/consistency.ts";
import { inclusionNodes } from "../tree/inclusion.ts";
import type { Leaves } from "../tree/subtrees.ts";
import type { CheckpointText } from "../verification/note-file.ts";
import type { StoredReceipt } from "../verify.ts";
import type { ReceiptProof } from "./proof-file.ts";
import { StoredTree } from "./stored-tree.ts";
import { TileRoots } from "./tile-roots.ts";

export interface ProofQuestion {
  readonly row: StoredReceipt;
  readonly newest: CheckpointText;
  /** Prove besides that the log of this one is the beginning. */
  readonly older: CheckpointText | null;
  /** The file of tile roots. */
  readonly rootsPath: string;
  /** Told how far the tiles are, where they have to be made first. */
  readonly progress: (receipts: number) => void;
}

/**
 * Makes a proof from what is stored; whether it holds, its maker has to judge as anybody else. The first of a log reads all
 * receipts once and keeps the roots of its tiles; later ones read a tile or two. Throws NodeMissing and StoreFailed.
 */
export const makeProof = async (reader: ReceiptReader, question: ProofQuestion): Promise<ReceiptProof> => {
  const { row, newest, older, rootsPath, progress } = question;
  const { size } = newest.read;
  const roots = TileRoots.read(rootsPath, reader.chain);
  const tree = new StoredTree(reader, await reader.mark(), roots);
  if (await tree.grow(size, progress)) roots.write(rootsPath);
  const hex = async (nodes: readonly Leaves[]): Promise<readonly string[]> => {
    const hashes: string[] = [];
    for (const node of nodes) hashes.push(Buffer.from(await tree.nodeOver(node)).toString("hex"));
    return hashes;
  };
  return Object.freeze({
    checkpoint: newest.text,
    consistency:
      older === null ? null : { checkpoint: older.text, nodes: await hex(consistencyNodes(older.read.size, size)) },
    hash: row.hash,
    index: row.seq - 1,
    nodes: await hex(inclusionNodes(row.seq - 1, size)),
    receipt: row.receipt,
  });
};
