import { ExitCode } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { readCheckpoint } from "../verification/read-checkpoint.ts";
import { type CommandOutput, done, reading, refused } from "./output.ts";

export interface CheckpointOptions {
  /** The checkpoint of exactly so many receipts; null for the newest. */
  readonly size: number | null;
  /** One line of JSON: `{chain, note, root, size, unsigned}`. */
  readonly json: boolean;
}

/**
 * A stored checkpoint, byte for byte: a note that can be kept elsewhere, shown to a witness, or given to `verify`. Exit 0; 1
 * where there is none, or what is stored is none; 5 where there is no ledger.
 */
export const checkpoint = (place: ReceiptPlace, { size, json }: CheckpointOptions): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const found = await reader.checkpointThrough(size ?? Number.MAX_SAFE_INTEGER);
    if (found === null || (size !== null && found.size !== size)) {
      const which = size === null ? "no checkpoint yet" : `no checkpoint of ${size} receipts`;
      return refused(ExitCode.no, `there is ${which} of chain ${reader.chain}`);
    }
    const read = readCheckpoint(found.note);
    if (read === null) return refused(ExitCode.no, `what is stored as checkpoint ${found.size} is not a signed one`);
    const unsigned = Math.max(0, (await reader.newestSeq()) - found.size);
    if (json) {
      const { note, size } = found;
      return done([JSON.stringify({ chain: reader.chain, note, root: read.root, size, unsigned })]);
    }
    const after = size === null && unsigned > 0 ? `${unsigned} receipts after it are not covered yet` : null;
    return done(found.note.slice(0, -1).split("\n"), after);
  });
