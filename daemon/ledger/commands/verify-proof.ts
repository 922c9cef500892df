import { ExitCode, Refusal } from "../../exit-codes.ts";
import { judgeProof, type ProofVerdict } from "../proofs/judge-proof.ts";
import { readProof } from "../proofs/read-proof.ts";
import { readGivenKey, readGivenWitness } from "../verification/given-keys.ts";
import { readKeyringSigners } from "../verification/keyring-signers.ts";
import { believedAlways } from "../verification/signers.ts";
import { type CommandOutput, done, problemLine, refused } from "./output.ts";
import { receiptSummary } from "./receipt-line.ts";

export interface VerifyProofOptions {
  /** Files or texts of keys: without one nothing would be proved. */
  readonly keys: readonly string[];
  /** A keyring whose keys of the role `receipts` are believed too; null for none. */
  readonly keyring: string | null;
  /** Texts of witnesses' keys. */
  readonly witnesses: readonly string[];
  readonly json: boolean;
}

/** Exit 0: the receipt is in the log that was signed; 1: it is not proved; 2: usage, or no proof. Throws Refusal and KeyRefused. */
export const verifyProof = async (path: string, options: VerifyProofOptions): Promise<CommandOutput> => {
  if (options.keys.length === 0 && options.keyring === null) {
    throw new Refusal(ExitCode.refused, "a proof needs --key or --keyring: whom do you believe?");
  }
  const keys = [
    ...(await Promise.all(options.keys.map(readGivenKey))).flat().map(believedAlways),
    ...(options.keyring === null ? [] : await readKeyringSigners(options.keyring)),
  ];
  const witnesses = options.witnesses.map(readGivenWitness);
  const proof = await readProof(path);
  const verdict = judgeProof(proof, { keys, witnesses });
  const seq = proof.index + 1;
  if (options.json) {
    const { problem, size, signers, continues } = verdict;
    const proved = problem === null;
    const json = { chain: verdict.receipt?.chain ?? null, continues, problem, proved, seq, signers, size };
    return { exitCode: proved ? ExitCode.done : ExitCode.no, lines: [JSON.stringify(json)], error: null };
  }
  if (verdict.problem !== null) return refused(ExitCode.no, problemLine(seq, verdict.problem));
  return done([receiptSummary(seq, proof.receipt), provedLine(verdict)]);
};

const provedLine = ({ receipt, size, signers, continues }: ProofVerdict): string => {
  const by = [...(signers?.keys.map((key) => `key ${key}`) ?? []), ...(signers?.witnesses ?? [])].join(", ");
  const older = continues === null ? "" : `, which continues the log of ${continues}`;
  return `proved: it is receipt ${receipt?.seq} of ${size} of chain ${receipt?.chain}, signed by ${by}${older}`;
};
