import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { findStateDirectory } from "../../store/state-directory.ts";
import { type Context, NotAContext, parseContext } from "../context/context.ts";
import { type ContextVerdict, contextAnswers, judgeContext, missingIn } from "../context/judge-context.ts";
import { parseReceipt } from "../parse-receipt.ts";
import { judgeProof } from "../proofs/judge-proof.ts";
import { readProof } from "../proofs/read-proof.ts";
import { readGivenFile } from "../read-given-file.ts";
import { type GivenProof, readGivenProof } from "../verification/expectations.ts";
import { readOwnProof, withOwnProof } from "../verification/own-proof.ts";
import { verifyStore } from "../verification/stored-log.ts";
import type { ChainProblem } from "../verify.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";

export interface CheckOptions extends GivenProof {
  /** The file of the context. */
  readonly context: string;
  readonly json: boolean;
  /** Told the number of receipts now and then, for a long chain. */
  readonly progress: (receipts: number) => void;
}

interface Checked extends ContextVerdict {
  readonly seq: number;
  /** What is wrong with the chain or the proof, and where. */
  readonly finding: { readonly seq: number; readonly problem: ChainProblem } | null;
}

/**
 * Is a receipt of the daemon's chain of the call that the context is of? The whole chain is verified first, by its own keys and
 * what is given: a receipt out of a chain that is not whole is evidence of nothing. Exit 0 verified, 1 not, 2 usage, 5 without
 * a ledger. Throws Refusal and KeyRefused.
 */
export const checkStored = async (place: ReceiptPlace, seq: number, options: CheckOptions): Promise<CommandOutput> => {
  const context = await readContext(options.context);
  const missing = missingIn(context);
  if (missing !== null) return outputOf({ ...missing, seq, finding: null }, options);
  const given = await readGivenProof(options);
  return reading(place, async (reader) => {
    const row = await reader.find(seq);
    if (row === null) return outputOf({ answer: "record_not_found", field: null, seq, finding: null }, options);
    const own = await readOwnProof(findStateDirectory(place.state).path);
    const { finding } = await verifyStore(reader, withOwnProof(given, own), own.kept, options.progress);
    const receipt = parseReceipt(row.receipt);
    if (finding !== null || receipt === null) {
      return outputOf({ answer: "chain_failed", field: null, seq, finding: finding ?? malformed(seq) }, options);
    }
    const salt = context.value?.of === "final" ? row.final_salt : row.salt;
    return outputOf({ ...judgeContext(receipt, context, salt), seq, finding: null }, options);
  });
};

const malformed = (seq: number): Checked["finding"] => ({ seq, problem: "malformed" });

/** The same of a proof, by the keys that are given alone. Exit 0, 1 or 2. Throws Refusal and KeyRefused. */
export const checkProof = async (path: string, options: CheckOptions): Promise<CommandOutput> => {
  if (options.keys.length === 0 && options.keyring === null) {
    throw new Refusal(ExitCode.refused, "a proof needs --key or --keyring: whom do you believe?");
  }
  const context = await readContext(options.context);
  const proof = await readProof(path);
  const seq = proof.index + 1;
  const missing = missingIn(context);
  if (missing !== null) return outputOf({ ...missing, seq, finding: null }, options);
  const { receipt, problem } = judgeProof(proof, (await readGivenProof(options)).believed);
  if (problem !== null || receipt === null) {
    const finding = problem === null ? malformed(seq) : { seq, problem };
    return outputOf({ answer: "chain_failed", field: null, seq, finding }, options);
  }
  return outputOf({ ...judgeContext(receipt, context, null), seq, finding: null }, options);
};

const outputOf = ({ answer, field, seq, finding }: Checked, { json }: CheckOptions): CommandOutput => {
  const exitCode = answer === "verified" ? ExitCode.done : ExitCode.no;
  if (json) return { exitCode, lines: [JSON.stringify({ answer, field, finding, seq })], error: null };
  const about = field === null ? "" : `: ${field}`;
  const line = `receipt ${seq}: ${answer}${about} (${contextAnswers[answer]})`;
  if (finding !== null) return refused(exitCode, `${line}; ${problemLine(finding.seq, finding.problem)}`);
  return exitCode === ExitCode.done ? done([line]) : refused(exitCode, line);
};

/** As long as a frame may be. */
const maxContextBytes = 8 * 1024 * 1024;

const readContext = async (path: string): Promise<Context> => {
  const text = await readGivenFile(path, "the context", maxContextBytes);
  try {
    return parseContext(text);
  } catch (error) {
    if (!(error instanceof NotAContext)) throw error;
    throw new Refusal(ExitCode.refused, `${path} is no context: ${error.message}`);
  }
};
