import { generateKeyPair } from "../../daemon/keys/private-key.ts";
import { originOf, signCheckpoint } from "../../daemon/ledger/checkpoints/checkpoint.ts";
import { signedNoteText } from "../../daemon/ledger/checkpoints/signed-note.ts";
import { checkpointLine, endLine, receiptLine } from "../../daemon/ledger/export-format.ts";
import { receiptHash } from "../../daemon/ledger/hash.ts";
import { CompactRange } from "../../daemon/ledger/tree/compact-range.ts";
import { leafHashOfHex } from "../../daemon/ledger/tree/tree-hash.ts";
import { type Ledger, relinked, type StolenRow } from "./ledger-file.ts";

/** What a thief has besides the ledger that is altered. None of it is a key. */
export interface Loot {
  /** The ledger of another daemon. */
  readonly another: Ledger;
  /** The same ledger as it was some time before. */
  readonly older: Ledger;
  /** What a copy of the older one became: a second daemon went on from it, with the same key. */
  readonly fork: Ledger;
}

export interface Tampering {
  readonly name: string;
  /** Alters the ledger, which is a copy. */
  readonly change: (ledger: Ledger, loot: Loot) => void;
  /** Alters the lines of the export besides. */
  readonly lines?: (lines: readonly string[]) => readonly string[];
  /** Whether the verifier of the export has a checkpoint that was kept elsewhere, or the key alone. */
  readonly kept: boolean;
  /** `both` where a database can hold it too; a form that only an export has is tried there alone. */
  readonly where: "both" | "export" | "store";
}

const edited = (row: StolenRow, change: (receipt: Record<string, unknown>) => void): StolenRow => {
  const receipt = JSON.parse(row.receipt) as Record<string, unknown>;
  change(receipt);
  return { ...row, receipt: JSON.stringify(receipt) };
};

const setting =
  (field: string, value: unknown) =>
  (receipt: Record<string, unknown>): void => {
    receipt[field] = value;
  };

/** The first decision at or after the middle, as an index. */
const someDecision = ({ rows }: Ledger): number => {
  const middle = Math.floor(rows.length / 2);
  return middle + rows.slice(middle).findIndex(({ receipt }) => receipt.includes('"kind":"decision"'));
};

const editDecision = (ledger: Ledger, change: (receipt: Record<string, unknown>) => void): number => {
  const at = someDecision(ledger);
  ledger.rows[at] = edited(ledger.rows[at]!, change);
  return at;
};

const turnVerdict = (receipt: Record<string, unknown>): void => {
  receipt.verdict = receipt.verdict === "BLOCK" ? "ALLOW" : "BLOCK";
};

/** Checkpoints over whatever the rows are now, by a key of the thief's own. */
const resign = (ledger: Ledger): void => {
  const key = generateKeyPair();
  const tree = CompactRange.empty();
  const sizes = new Set(ledger.notes.keys());
  ledger.notes.clear();
  for (const { hash } of ledger.rows) {
    tree.add(leafHashOfHex(hash));
    if (!sizes.has(tree.size)) continue;
    const checkpoint = { origin: originOf(ledger.chain), size: tree.size, root: tree.root() };
    ledger.notes.set(tree.size, signedNoteText(signCheckpoint(checkpoint, key)));
  }
};

const cut = (ledger: Ledger, count: number): void => {
  ledger.rows.splice(-count);
};
const cutNotes = (ledger: Ledger): void => {
  for (const size of ledger.notes.keys()) if (size > ledger.rows.length) ledger.notes.delete(size);
};
const sizesOf = ({ notes }: Ledger): number[] => [...notes.keys()].sort((a, b) => a - b);
const changeNote = (ledger: Ledger, size: number, change: (note: string) => string): void => {
  ledger.notes.set(size, change(ledger.notes.get(size)!));
};
const middleSize = (ledger: Ledger): number => sizesOf(ledger)[Math.floor(ledger.notes.size / 2)]!;
const frontierAt = ({ rows }: Ledger, size: number): readonly string[] => {
  const tree = CompactRange.empty();
  for (const { hash } of rows.slice(0, size)) tree.add(leafHashOfHex(hash));
  return tree.frontier();
};
/** The beginning of the ledger taken away, with a mark that says what stood there. */
const takeBeginning = (ledger: Ledger, frontier: (right: readonly string[]) => readonly string[]): void => {
  const through = middleSize(ledger);
  ledger.mark = { through, hash: ledger.rows[through - 1]!.hash, frontier: frontier(frontierAt(ledger, through)) };
  ledger.rows = ledger.rows.slice(through);
  for (const size of ledger.notes.keys()) if (size < through) ledger.notes.delete(size);
};

const onBoth = (name: string, change: Tampering["change"], kept = true): Tampering => ({
  name,
  change,
  kept,
  where: "both",
});
const onExport = (name: string, lines: NonNullable<Tampering["lines"]>): Tampering => ({
  name,
  change: () => undefined,
  lines,
  kept: true,
  where: "export",
});
const firstNote = (lines: readonly string[]): number => lines.findIndex((line) => line.startsWith('{"checkpoint"'));

export const tamperings: readonly Tampering[] = Object.freeze([
  onBoth("a verdict is turned", (ledger) => void editDecision(ledger, turnVerdict)),
  onBoth("a time is moved", (ledger) => void editDecision(ledger, setting("time_ms", 1))),
  onBoth("a principal is renamed", (ledger) => void editDecision(ledger, setting("principal", "x"))),
  onBoth("a field is added", (ledger) => void editDecision(ledger, setting("zz", 1))),
  onBoth("a receipt is spaced out", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows[at] = { ...ledger.rows[at]!, receipt: ledger.rows[at]!.receipt.replace(":", ": ") };
  }),
  onBoth("a hash is exchanged", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows[at] = { ...ledger.rows[at]!, hash: "0".repeat(64) };
  }),
  onBoth("a verdict is turned and its hash made right", (ledger) => {
    const at = editDecision(ledger, turnVerdict);
    ledger.rows[at] = { ...ledger.rows[at]!, hash: receiptHash(ledger.rows[at]!.receipt) };
  }),
  onBoth("a verdict is turned and all after it made right", (ledger) => {
    const at = editDecision(ledger, turnVerdict);
    ledger.rows = relinked(ledger.rows, at);
  }),
  onBoth("the newest receipt is edited and made right", (ledger) => {
    const at = ledger.rows.length - 1;
    ledger.rows[at] = edited(ledger.rows[at]!, setting("time_ms", 1));
    ledger.rows = relinked(ledger.rows, at);
  }),
  onBoth("all is written anew from the first receipt", (ledger) => {
    ledger.rows[0] = edited(ledger.rows[0]!, setting("time_ms", 1));
    ledger.rows = relinked(ledger.rows);
  }),
  onBoth(
    "all is written anew, and the checkpoints dropped",
    (ledger) => {
      editDecision(ledger, turnVerdict);
      ledger.rows = relinked(ledger.rows);
      ledger.notes.clear();
    },
    false,
  ),
  onBoth(
    "all is written anew, and signed by another key",
    (ledger) => {
      editDecision(ledger, turnVerdict);
      ledger.rows = relinked(ledger.rows);
      resign(ledger);
    },
    false,
  ),
  onBoth("the end is written anew, and its checkpoints dropped", (ledger) => {
    const from = middleSize(ledger);
    ledger.rows[from] = edited(ledger.rows[from]!, setting("time_ms", 1));
    ledger.rows = relinked(ledger.rows, from);
    for (const size of ledger.notes.keys()) if (size > from) ledger.notes.delete(size);
  }),
  onBoth("a receipt is taken out", (ledger) => void ledger.rows.splice(someDecision(ledger), 1)),
  onBoth("the first receipt is taken out", (ledger) => void ledger.rows.shift()),
  onBoth("the newest receipt is cut off", (ledger) => cut(ledger, 1)),
  onBoth("the newest receipts are cut off, and their checkpoints", (ledger) => {
    cut(ledger, 15);
    cutNotes(ledger);
  }),
  onBoth("all receipts are taken out", (ledger) => {
    ledger.rows = [];
  }),
  onBoth("all receipts are taken out, and all checkpoints", (ledger) => {
    ledger.rows = [];
    ledger.notes.clear();
  }),
  onBoth("a receipt is taken out and all after it made right", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows.splice(at, 1);
    ledger.rows = relinked(ledger.rows, at);
  }),
  onBoth("two receipts change places", (ledger) => {
    const at = someDecision(ledger);
    const [one, other] = [ledger.rows[at]!, ledger.rows[at + 1]!];
    ledger.rows.splice(at, 2, { ...other, at: one.at }, { ...one, at: other.at });
  }),
  onBoth("two receipts change places and all after them is made right", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows.splice(at, 2, ledger.rows[at + 1]!, ledger.rows[at]!);
    ledger.rows = relinked(ledger.rows, at);
  }),
  onBoth("a receipt stands twice", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows.splice(at, 0, ledger.rows[at]!);
    ledger.rows = ledger.rows.map((row, index) => ({ ...row, at: index + 1 }));
  }),
  onBoth("a receipt is made up in the middle", (ledger) => {
    const at = someDecision(ledger);
    ledger.rows.splice(at, 0, edited(ledger.rows[at]!, setting("call_id", "made-up")));
    ledger.rows = relinked(ledger.rows, at);
  }),
  onBoth("a receipt of another chain is put in", (ledger, { another }) => {
    const at = someDecision(ledger);
    ledger.rows[at] = { ...another.rows[at % another.rows.length]!, at: at + 1 };
  }),
  onBoth("a receipt of another chain is put in, made ours, and all after it made right", (ledger, { another }) => {
    const at = someDecision(ledger);
    ledger.rows[at] = another.rows[at % another.rows.length]!;
    ledger.rows = relinked(ledger.rows, at, ledger.chain);
  }),
  onBoth("the ledger of another daemon is put in", (ledger, { another }) => {
    ledger.rows = [...another.rows];
    ledger.notes = new Map(another.notes);
  }),
  onBoth("two checkpoints change places", (ledger) => {
    const [one = 0, other = 0] = sizesOf(ledger);
    const [first, second] = [ledger.notes.get(one)!, ledger.notes.get(other)!];
    ledger.notes.set(one, second).set(other, first);
  }),
  onBoth("the checkpoints are dropped", (ledger) => ledger.notes.clear(), false),
  onBoth("a checkpoint's root is exchanged", (ledger) =>
    changeNote(ledger, middleSize(ledger), (note) => note.replace(/\n[A-Za-z0-9+/]{43}=\n/, `\n${"A".repeat(43)}=\n`)),
  ),
  onBoth("a checkpoint's size is exchanged", (ledger) => {
    const size = middleSize(ledger);
    changeNote(ledger, size, (note) => note.replace(`\n${size}\n`, `\n${size + 1}\n`));
  }),
  onBoth("a checkpoint's signature is exchanged for an older one's", (ledger) => {
    const [older = 0] = sizesOf(ledger);
    const signature = ledger.notes.get(older)!.split("\n\n")[1]!;
    changeNote(ledger, middleSize(ledger), (note) => `${note.split("\n\n")[0]}\n\n${signature}`);
  }),
  onBoth("a checkpoint is signed by another key", (ledger) => resign(ledger)),
  onBoth("a checkpoint of another chain is put in", (ledger, { another }) => {
    const [theirs = ""] = another.notes.values();
    ledger.notes.set(middleSize(ledger), theirs);
  }),
  onBoth("the newest checkpoint is an older one", (ledger) => {
    const sizes = sizesOf(ledger);
    ledger.notes.set(sizes.at(-1)!, ledger.notes.get(sizes.at(-2)!)!);
  }),
  onBoth("a checkpoint is emptied", (ledger) => changeNote(ledger, middleSize(ledger), () => "")),
  onBoth("an older copy is put back", (ledger, { older }) => {
    ledger.rows = [...older.rows];
    ledger.notes = new Map(older.notes);
  }),
  onBoth("a copy that went its own way is put in", (ledger, { fork }) => {
    ledger.rows = [...fork.rows];
    ledger.notes = new Map(fork.notes);
  }),
  onBoth("the beginning is taken away behind a mark of other receipts", (ledger) =>
    takeBeginning(ledger, (right) => right.map(() => "0".repeat(64))),
  ),
  onBoth("the beginning is taken away behind half a mark", (ledger) =>
    takeBeginning(ledger, (right) => [...right, "0".repeat(64)]),
  ),
  {
    name: "the beginning is taken away behind a right mark that no receipt tells of",
    change: (ledger) => takeBeginning(ledger, (right) => right),
    kept: true,
    where: "store",
  },
  onExport("the export is empty", () => []),
  onExport("the export is cut off", (lines) => lines.slice(0, -5)),
  onExport("the export's end is cut off", (lines) => lines.slice(0, -1)),
  onExport("the export has no header", (lines) => lines.slice(1)),
  onExport("something stands after the end", (lines) => [...lines, lines[1]!]),
  onExport("a checkpoint stands twice", (lines) => lines.toSpliced(firstNote(lines), 0, lines[firstNote(lines)]!)),
  onExport("a checkpoint stands too early", (lines) => {
    const at = firstNote(lines);
    return lines.toSpliced(at, 1).toSpliced(at - 1, 0, lines[at]!);
  }),
  onExport("a checkpoint is spelled otherwise", (lines) => {
    const at = firstNote(lines);
    return lines.with(at, lines[at]!.replace("—", "\\u2014"));
  }),
  onExport("all but the beginning is made up, in an export of version 1 that begins behind it", (lines) => {
    const rows = lines
      .filter((line) => line.startsWith('{"hash"'))
      .map(
        (line, index): StolenRow => ({
          at: index + 1,
          hash: line.slice(9, 73),
          receipt: line.slice(85, -1),
          salts: "-",
        }),
      );
    rows[2] = edited(rows[2]!, setting("time_ms", 1));
    const madeUp = relinked(rows, 2);
    const { chain } = JSON.parse(madeUp[0]!.receipt) as { readonly chain: string };
    const after = `{"hash":"${madeUp[1]!.hash}","seq":2}`;
    return [
      `{"after":${after},"chain":"${chain}","kind":"interlock-receipts","v":1}`,
      ...madeUp.slice(2).map(receiptLine),
      endLine({ seq: madeUp.length, hash: madeUp.at(-1)!.hash }),
    ];
  }),
  onExport("a receipt is nested as deep as its line is long", (lines) => {
    const at = lines.findIndex((line) => line.startsWith('{"hash"')) + 1;
    const receipt = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    return lines.with(at, receiptLine({ hash: receiptHash(receipt), receipt }));
  }),
  onExport("the header begins behind a number that is another one to other readers", (lines) =>
    lines.with(0, lines[0]!.replace('"seq":0', '"seq":9007199254740993')),
  ),
  onExport("a checkpoint is junk", (lines) => lines.with(firstNote(lines), checkpointLine("junk"))),
]);
