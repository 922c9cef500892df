import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { codeOf } from "../../store/state-directory.ts";
import type { Head } from "../../store/store.ts";
import { type Verified, verifyStored } from "../verify.ts";
import { verifyExport } from "../verify-export.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";

export interface VerifyOptions {
  /** `SEQ:HASH` of a head that was noted elsewhere, or null. */
  readonly expectHead: string | null;
  readonly json: boolean;
  /** Told the number of receipts now and then, for a long chain. */
  readonly progress: (receipts: number) => void;
}

const headPattern = /^([1-9][0-9]{0,15}):([0-9a-f]{64})$/;

const parseHead = (text: string): Head | null => {
  const [, seq, hash] = headPattern.exec(text) ?? [];
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash };
};

const badHead = refused(ExitCode.refused, "the expected head must be SEQ:HASH, such as verify printed before");

/** Verifies the chain of a daemon. Exit 0 whole, 1 not, 2 usage, 5 where there is no ledger. */
export const verify = async (place: ReceiptPlace, options: VerifyOptions): Promise<CommandOutput> => {
  const expected = options.expectHead === null ? null : parseHead(options.expectHead);
  if (options.expectHead !== null && expected === null) return badHead;
  return reading(place, async ({ chain, ...reader }) => {
    const rows = reader.rows(1, Number.MAX_SAFE_INTEGER);
    return verdictOf(await verifyStored(chain, rows, expected, options.progress), options);
  });
};

/** Verifies an export and nothing else: no state directory, no key. `chain` refuses any other; null takes the header's. */
export const verifyExportFile = async (
  chunks: AsyncIterable<Uint8Array>,
  options: VerifyOptions & { readonly chain: string | null },
): Promise<CommandOutput> => {
  const expected = options.expectHead === null ? null : parseHead(options.expectHead);
  if (options.expectHead !== null && expected === null) return badHead;
  try {
    return verdictOf(await verifyExport(chunks, { chain: options.chain, head: expected }, options.progress), options);
  } catch (error) {
    // The stream's own failure, such as ENOENT or EISDIR: nothing was verified, which is no verdict on the export.
    const code = codeOf(error);
    if (!/^E[A-Z]+$/.test(code)) throw error;
    return refused(ExitCode.refused, `the export cannot be read (${code})`);
  }
};

const verdictOf = (verified: Verified, { json, expectHead }: VerifyOptions): CommandOutput => {
  const exitCode = verified.whole ? ExitCode.done : ExitCode.no;
  if (json) return { exitCode, lines: [JSON.stringify(verified)], error: null };
  if (!verified.whole) return refused(exitCode, problemLine(verified.finding.seq, verified.finding.problem));
  const { chain, head, receipts } = verified;
  const unchecked = "compared with no head: receipts that were cut off at the end go unnoticed (--expect-head)";
  return done(
    [`chain ${chain}: ${receipts} receipts, none edited, missing or out of place`, `head ${head.seq}:${head.hash}`],
    expectHead === null ? unchecked : null,
  );
};
