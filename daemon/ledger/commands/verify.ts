import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { codeOf, findStateDirectory } from "../../store/state-directory.ts";
import { type GivenProof, readGivenProof } from "../verification/expectations.ts";
import type { LogVerdict } from "../verification/findings.ts";
import type { LogExpectations } from "../verification/log-walk.ts";
import { readOwnProof, withOwnProof } from "../verification/own-proof.ts";
import { verifyStore } from "../verification/stored-log.ts";
import { verifyExport } from "../verify-export.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";

export interface VerifyOptions extends GivenProof {
  readonly json: boolean;
  /** Told the number of receipts now and then, for a long chain. */
  readonly progress: (receipts: number) => void;
}

/**
 * Verifies the chain of a daemon, by the keys and the newest checkpoint of its state directory and by what is given. Exit 0
 * whole, 1 not, 2 usage, 5 where there is no ledger. Throws Refusal and KeyRefused.
 */
export const verify = async (place: ReceiptPlace, options: VerifyOptions): Promise<CommandOutput> => {
  const given = await readGivenProof(options);
  return reading(place, async (reader) => {
    // After the reader is open: what is no state directory is the store's refusal.
    const own = await readOwnProof(findStateDirectory(place.state).path);
    const expect = withOwnProof(given, own);
    return outputOf(await verifyStore(reader, expect, own.kept, options.progress), expect, options);
  });
};

/**
 * Verifies an export and nothing else: no state directory, no key but those that are given. `chain` refuses any other; null
 * takes the header's. Throws Refusal and KeyRefused.
 */
export const verifyExportFile = async (
  chunks: AsyncIterable<Uint8Array>,
  options: VerifyOptions & { readonly chain: string | null },
): Promise<CommandOutput> => {
  const given = await readGivenProof(options);
  if (given.maxUnsigned !== null && given.believed.keys.length === 0) {
    throw new Refusal(ExitCode.refused, "--max-unsigned needs --key: without a key nothing here is signed");
  }
  const expect = { ...given, chain: options.chain };
  try {
    return outputOf(await verifyExport(chunks, expect, options.progress), expect, options);
  } catch (error) {
    // The stream's own failure, such as ENOENT or EISDIR: nothing was verified, which is no verdict on the export.
    const code = codeOf(error);
    if (!/^E[A-Z]+$/.test(code)) throw error;
    return refused(ExitCode.refused, `the export cannot be read (${code})`);
  }
};

const outputOf = (verdict: LogVerdict, expect: LogExpectations, { json, ...given }: VerifyOptions): CommandOutput => {
  const { finding, chain, head, receipts } = verdict;
  const exitCode = finding === null ? ExitCode.done : ExitCode.no;
  if (json) return { exitCode, lines: [JSON.stringify(verdict)], error: null };
  if (finding !== null) return refused(exitCode, problemLine(finding.seq, finding.problem));
  const isCompared = given.expectHead !== null || given.checkpoints.length > 0;
  return done(
    [
      `chain ${chain}: ${receipts} receipts, none edited, missing or out of place`,
      `head ${head.seq}:${head.hash}`,
      ...beginning(verdict),
      signatures(verdict, expect),
    ],
    isCompared
      ? null
      : "compared with nothing that is kept elsewhere: receipts that were cut off at the end go unnoticed (--checkpoint, --expect-head)",
  );
};

const beginning = ({ head, receipts, pruned_at }: LogVerdict): readonly string[] => {
  const before = head.seq - receipts;
  if (before === 0) return [];
  const why = pruned_at === null ? "they are not here" : `receipt ${pruned_at} says that they were pruned`;
  return [`receipts 1 to ${before}: ${why}`];
};

const signatures = ({ head, checkpoints }: LogVerdict, { believed }: LogExpectations): string => {
  const { count, keys, signed_through, witnesses } = checkpoints;
  if (believed.keys.length === 0) return `checkpoints ${count}: no key was given, so no signature was checked (--key)`;
  if (signed_through === null) return "checkpoints 0: no receipt is signed yet";
  const by = [...keys.map((key) => `key ${key}`), ...witnesses].join(", ");
  const rest = head.seq - signed_through;
  return `checkpoints ${count}: signed through ${signed_through} by ${by}; ${rest} receipts after it are not signed yet`;
};
