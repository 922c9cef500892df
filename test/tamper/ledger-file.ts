import { join } from "node:path";
import Database from "better-sqlite3";
import { checkpointLine, endLine, headerLine, receiptLine } from "../../daemon/ledger/export-format.ts";
import { receiptHash, zeroHash } from "../../daemon/ledger/hash.ts";

/** One receipt as a thief has it: where it stands, and what stands there. */
export interface StolenRow {
  readonly at: number;
  readonly hash: string;
  readonly receipt: string;
  /** What the store has between the hash and the receipt: no part of what is signed. */
  readonly salts: string;
}

/** What stands for receipts before the first. */
export interface StolenMark {
  readonly through: number;
  readonly hash: string;
  readonly frontier: readonly string[];
}

const line = /^\d+ \d+ ([0-9a-f]{64}) (\S+) (.*)$/;

/** All that somebody who can write the database has, and writes back: the receipts and their checkpoints, and no key. */
export class Ledger {
  rows: StolenRow[];
  /** Notes by the size under which they are stored. */
  notes: Map<number, string>;
  mark: StolenMark | null = null;
  readonly chain: string;

  constructor(chain: string, rows: readonly StolenRow[], notes: ReadonlyMap<number, string>) {
    this.chain = chain;
    this.rows = [...rows];
    this.notes = new Map(notes);
  }

  static read(state: string): Ledger {
    const db = new Database(join(state, "ledger.db"), { readonly: true });
    try {
      const chain = db.prepare<[], string>("SELECT value FROM meta WHERE name = 'chain'").pluck().get() as string;
      const pages = db.prepare<[], { readonly lines: string }>("SELECT lines FROM pages ORDER BY first").all();
      const rows = pages
        .flatMap(({ lines }) => lines.trimEnd().split("\n"))
        .map((text, index): StolenRow => {
          const [, hash = "", salts = "", receipt = ""] = line.exec(text) ?? [];
          return { at: index + 1, hash, salts, receipt };
        });
      const notes = db.prepare<[], { size: number; note: string }>("SELECT size, note FROM checkpoints").all();
      return new Ledger(chain, rows, new Map(notes.map(({ size, note }) => [size, note])));
    } finally {
      db.close();
    }
  }

  copy(): Ledger {
    return new Ledger(this.chain, this.rows, this.notes);
  }

  /** Writes all of it into the database of a state directory, one receipt a page. */
  write(state: string): void {
    const db = new Database(join(state, "ledger.db"));
    try {
      db.exec("DELETE FROM pages; DELETE FROM checkpoints; DELETE FROM pruned");
      const putPage = db.prepare("INSERT INTO pages(first, last, lines) VALUES(?, ?, ?)");
      for (const { at, hash, salts, receipt } of this.rows) {
        putPage.run(at, at, `${seqOf(receipt) ?? at} ${receipt.length} ${hash} ${salts} ${receipt}\n`);
      }
      const putNote = db.prepare("INSERT INTO checkpoints(size, time_ms, note) VALUES(?, 0, ?)");
      for (const [size, note] of this.notes) putNote.run(size, note);
      if (this.mark === null) return;
      const { through, hash, frontier } = this.mark;
      db.prepare("INSERT INTO pruned VALUES(?, ?, ?, 0)").run(through, hash, frontier.join(" "));
    } finally {
      db.close();
    }
  }

  /** An export as a thief writes it: put together well, whatever is in it. */
  exported(): readonly string[] {
    const after = this.mark === null ? { seq: 0, hash: zeroHash } : { seq: this.mark.through, hash: this.mark.hash };
    const lines = [headerLine({ chain: this.chain, after, frontier: this.mark?.frontier ?? [], keys: [] })];
    const left = new Map([...this.notes].sort(([a], [b]) => a - b));
    const notesThrough = (at: number): void => {
      for (const [size, note] of left) {
        if (size > at) break;
        if (size >= after.seq) lines.push(checkpointLine(note));
        left.delete(size);
      }
    };
    notesThrough(after.seq);
    for (const row of this.rows) {
      lines.push(receiptLine(row));
      notesThrough(row.at);
    }
    notesThrough(Number.MAX_SAFE_INTEGER);
    const last = this.rows.at(-1);
    lines.push(endLine(last === undefined ? after : { seq: seqOf(last.receipt) ?? last.at, hash: last.hash }));
    return lines;
  }
}

const seqOf = (receipt: string): number | null => {
  try {
    return (JSON.parse(receipt) as { readonly seq?: number }).seq ?? null;
  } catch {
    return null;
  }
};

/** Numbers, places, links and hashes made right again, from a place on: what needs no key. */
export const relinked = (rows: readonly StolenRow[], from = 0, chain?: string): StolenRow[] => {
  const made: StolenRow[] = [];
  for (const [index, row] of rows.entries()) {
    const before = made.at(-1);
    if (index < from) {
      made.push(row);
      continue;
    }
    const receipt = JSON.parse(row.receipt) as Record<string, unknown>;
    receipt.seq = index + 1;
    receipt.prev = before?.hash ?? zeroHash;
    if (chain !== undefined) receipt.chain = chain;
    const text = JSON.stringify(receipt);
    made.push({ at: index + 1, hash: receiptHash(text), salts: row.salts, receipt: text });
  }
  return made;
};
