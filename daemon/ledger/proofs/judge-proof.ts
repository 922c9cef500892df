import { receiptHash } from "../hash.ts";
import { parseReceipt, type Receipt } from "../parse-receipt.ts";
import { provesConsistency, type TreeHead } from "../tree/consistency.ts";
import { provesInclusion } from "../tree/inclusion.ts";
import { leafHashOfHex, type TreeHash } from "../tree/tree-hash.ts";
import { isOfChain, type ReadCheckpoint, readCheckpoint } from "../verification/read-checkpoint.ts";
import { type Believed, SignerJudge, type Signers } from "../verification/signers.ts";
import type { ChainProblem } from "../verify.ts";
import type { ReceiptProof } from "./proof-file.ts";

export interface ProofVerdict {
  /** Null where the text of the receipt is none. */
  readonly receipt: Receipt | null;
  /** Null where it could not be read. */
  readonly size: number | null;
  readonly signers: Signers | null;
  /** The size of the older checkpoint that this log continues; null where none is in the proof. */
  readonly continues: number | null;
  /** The first thing that is wrong; null where the receipt is proved. */
  readonly problem: ChainProblem | null;
}

const treeHash = (hex: string): TreeHash => new Uint8Array(Buffer.from(hex, "hex"));
const headOf = ({ size, root }: ReadCheckpoint): TreeHead => ({ size, root: treeHash(root) });

/** Judges a proof by itself and by who is believed. The order of its checks is the order of the argument. */
export const judgeProof = (proof: ReceiptProof, believed: Believed): ProofVerdict => {
  const receipt = parseReceipt(proof.receipt);
  const checkpoint = readCheckpoint(proof.checkpoint);
  const verdict = { receipt, size: checkpoint?.size ?? null, signers: null, continues: null };
  const not = (problem: ChainProblem): ProofVerdict => Object.freeze({ ...verdict, problem });
  if (receipt === null) return not("malformed");
  if (receiptHash(proof.receipt) !== proof.hash) return not("edited");
  if (receipt.seq !== proof.index + 1) return not("moved");
  if (checkpoint === null) return not("checkpoint_malformed");
  if (!isOfChain(checkpoint, receipt.chain)) return not("checkpoint_wrong_chain");
  const judge = new SignerJudge(receipt.chain, believed);
  const signers = judge.judge(checkpoint, receipt.time_ms);
  if (typeof signers === "string") return not(signers);
  const { size, root } = headOf(checkpoint);
  if (!provesInclusion({ index: proof.index, size, root }, leafHashOfHex(proof.hash), proof.nodes.map(treeHash))) {
    return not("checkpoint_mismatch");
  }
  // Whoever names a witness wants his word.
  if (signers.cosigned < new Set(believed.witnesses.map(({ publicKey }) => publicKey.keyId)).size) {
    return not("too_few_witnesses");
  }
  const continues = judgeConsistency(proof, checkpoint, receipt, judge);
  if (typeof continues === "string") return not(continues);
  return Object.freeze({ ...verdict, signers, continues, problem: null });
};

/** The older checkpoint's size, null where there is none, or what is wrong with it. */
const judgeConsistency = (
  { consistency }: ReceiptProof,
  newer: ReadCheckpoint,
  { chain }: Receipt,
  judge: SignerJudge,
): number | null | ChainProblem => {
  if (consistency === null) return null;
  const older = readCheckpoint(consistency.checkpoint);
  if (older === null) return "checkpoint_malformed";
  if (!isOfChain(older, chain)) return "checkpoint_wrong_chain";
  const signers = judge.judge(older, null);
  if (typeof signers === "string") return signers;
  return provesConsistency(headOf(older), headOf(newer), consistency.nodes.map(treeHash)) ? older.size : "forked";
};
