import { generateKeyPair, type PrivateKey } from "../../keys/private-key.ts";
import { logKey, originOf, signCheckpoint } from "../checkpoints/checkpoint.ts";
import { signedNoteText } from "../checkpoints/signed-note.ts";
import { verifierKeyText } from "../checkpoints/verifier-key.ts";
import { checkpointLine, endLine, headerLine, receiptLine } from "../export-format.ts";
import { receiptHash } from "../hash.ts";
import { controlReceipt } from "../receipt.ts";
import { control, start_ms } from "../test-records.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { leafHashOfHex } from "../tree/tree-hash.ts";
import { beforeFirst, type StoredReceipt } from "../verify.ts";

export const chain = "ab".repeat(16);

/** For tests: a log in memory, written and signed as a daemon writes and signs it. */
export class SignedLog {
  readonly rows: StoredReceipt[] = [];
  /** Notes by the size that they are of. */
  readonly notes = new Map<number, string>();
  readonly key: PrivateKey;
  readonly #tree = CompactRange.empty();
  readonly #frontiers: (readonly string[])[] = [[]];

  constructor(key: PrivateKey = generateKeyPair()) {
    this.key = key;
  }

  get vkey(): string {
    return verifierKeyText(logKey(chain, this.key.publicKey));
  }

  append(count: number, detail = "as it was"): this {
    for (let left = count; left > 0; left--) {
      const { seq, hash } = this.rows.at(-1) ?? beforeFirst;
      const link = { seq: seq + 1, prev: hash };
      const receipt = controlReceipt(control({ detail, time_ms: start_ms + seq }), chain, link);
      this.rows.push({ seq: link.seq, receipt, hash: receiptHash(receipt) });
      this.#tree.add(leafHashOfHex(this.rows.at(-1)!.hash));
      this.#frontiers.push(this.#tree.frontier());
    }
    return this;
  }

  sign(key: PrivateKey = this.key): this {
    const { size } = this.#tree;
    const note = signCheckpoint({ origin: originOf(chain), size, root: this.#tree.root() }, key);
    this.notes.set(size, signedNoteText(note));
    return this;
  }

  /** @param after how many receipts are left out at the beginning. */
  lines(after = 0): string[] {
    const hash = this.rows[after - 1]?.hash ?? beforeFirst.hash;
    const frontier = this.#frontiers[after]!;
    const lines = [headerLine({ chain, after: { seq: after, hash }, frontier, keys: [this.vkey] })];
    const sign = (size: number): void => {
      const note = this.notes.get(size);
      if (note !== undefined) lines.push(checkpointLine(note));
    };
    if (after > 0) sign(after);
    for (const row of this.rows.slice(after)) {
      lines.push(receiptLine(row));
      sign(row.seq);
    }
    const head = this.rows.at(-1) ?? beforeFirst;
    lines.push(endLine({ seq: head.seq, hash: head.hash }));
    return lines;
  }
}
