import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { ReceiptPlace } from "../../store/receipt-reader.ts";
import { codeOf, findStateDirectory } from "../../store/state-directory.ts";
import { TileWriter } from "../tiles/tile-writer.ts";
import { ownExpectations } from "../verification/own-proof.ts";
import { endOf, entriesOf, readStoredLog, takeEntry, walkOf } from "../verification/stored-log.ts";
import { type CommandOutput, done, problemLine, reading, refused } from "./output.ts";

export interface TilesOptions {
  /** The folder to be served: empty, or not there yet. */
  readonly folder: string;
  /** Told the number of receipts now and then, for a long chain. */
  readonly progress: (receipts: number) => void;
}

const emptyFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true });
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    throw new Refusal(ExitCode.refused, `the folder ${folder} cannot be used (${codeOf(error)})`);
  }
  throw new Refusal(ExitCode.refused, `the folder ${folder} is not empty; name a new one`);
};

/**
 * The tree of the newest checkpoint as static files (C2SP tlog-tiles): hashes alone, no receipt. The checkpoint is written
 * last: a folder without it is not finished. Exit 0; 1 where the log does not verify; 2 where there is no checkpoint, or
 * receipts were pruned, or the folder is not empty; 5 without a ledger. Throws Refusal and KeyRefused.
 */
export const exportTiles = (place: ReceiptPlace, { folder, progress }: TilesOptions): Promise<CommandOutput> =>
  reading(place, async (reader) => {
    const own = await ownExpectations(findStateDirectory(place.state).path);
    const log = await readStoredLog(reader);
    if (log.mark !== null) {
      return refused(ExitCode.refused, `receipts 1 to ${log.mark.through} were pruned; tiles are of a whole log`);
    }
    if (log.checkpoint === null) {
      return refused(ExitCode.refused, "there is no checkpoint yet; a running daemon signs within a second");
    }
    emptyFolder(folder);
    const { size, note } = log.checkpoint;
    const put = (path: string, bytes: Uint8Array | string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes, { flag: "wx" });
    };
    const tiles = new TileWriter(put);
    const walk = walkOf(log, own);
    let finding = walk.begin();
    for await (const entry of entriesOf(reader, log)) {
      finding ??= takeEntry(walk, entry);
      if (finding !== null) break;
      if (entry.kind !== "receipt" || entry.row.seq > size) continue;
      tiles.add(Buffer.from(entry.row.hash, "hex"));
      if (walk.receipts % 65_536 === 0) progress(walk.receipts);
    }
    finding ??= endOf(walk, log);
    if (finding !== null) return refused(ExitCode.no, problemLine(finding.seq, finding.problem));
    tiles.end();
    put("checkpoint", note);
    return done([`${folder}: the tree of ${size} receipts and its checkpoint`]);
  });
