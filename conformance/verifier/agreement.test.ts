import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { generateKeyPair, type PrivateKey } from "../../daemon/keys/private-key.ts";
import { logKey, originOf, signCheckpoint } from "../../daemon/ledger/checkpoints/checkpoint.ts";
import { cosign } from "../../daemon/ledger/checkpoints/cosignature.ts";
import { signedNoteText } from "../../daemon/ledger/checkpoints/signed-note.ts";
import { verifierKey, verifierKeyText } from "../../daemon/ledger/checkpoints/verifier-key.ts";
import { checkpointLine, endLine, headerLine, receiptLine } from "../../daemon/ledger/export-format.ts";
import { receiptHash, zeroHash } from "../../daemon/ledger/hash.ts";
import { control, decision } from "../../daemon/ledger/test-records.ts";
import { openAt, temporaryState } from "../../daemon/ledger/test-state.ts";
import { CompactRange } from "../../daemon/ledger/tree/compact-range.ts";
import { leafHashOfHex } from "../../daemon/ledger/tree/tree-hash.ts";
import { readGivenKey } from "../../daemon/ledger/verification/given-keys.ts";
import { readCheckpoint } from "../../daemon/ledger/verification/read-checkpoint.ts";
import { believedAlways } from "../../daemon/ledger/verification/signers.ts";
import { verifyExport } from "../../daemon/ledger/verify-export.ts";
import { openReceiptReader } from "../../daemon/store/sqlite/read-receipts.ts";

const seed = Number(process.env.INTERLOCK_AGREEMENT_SEED ?? 20261130);
const mutants = 1500;
const chainLength = 24;
const pruned = 5;

/** A generator of its own (mulberry32), so that a failing seed replays. */
const random = (() => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
})();
const oneOf = <T>(items: readonly T[]): T => items[random(items.length)] as T;

const key = generateKeyPair();
const stranger = generateKeyPair();
const witness = generateKeyPair();
const witnessName = "witness.example/w1";

interface Row {
  readonly hash: string;
  readonly receipt: string;
}

const rowsOfNewChain = (): { readonly chain: string; readonly rows: readonly Row[] } => {
  const state = temporaryState();
  const ledger = openAt(state);
  for (let at = 0; at < chainLength; at++) {
    if (at % 5 === 0) ledger.appendControl(control({ detail: `line ${at} \u0001 π 😀 "\\` }));
    else ledger.append([decision({ call_id: `c-${at}`, request: `r-${at}`, time_ms: 1_760_000_000_000 + at })]);
  }
  const { chain } = ledger;
  ledger.close();
  const reader = openReceiptReader(state);
  const rows = [...reader.rows(1, chainLength)].map(({ hash, receipt }) => ({ hash, receipt }));
  reader.close();
  return { chain, rows };
};

/** An export from `from` on, with a checkpoint after each fifth receipt. */
const exported = (chain: string, rows: readonly Row[], from: number): readonly string[] => {
  const tree = CompactRange.empty();
  const lines: string[] = [];
  const note = (size: number): string => {
    const signed = signCheckpoint({ origin: originOf(chain), size, root: tree.root() }, key);
    const signatures =
      size % 2 === 0 ? [...signed.signatures, cosign(signed, witnessName, witness, 1_760_000_000)] : [];
    return checkpointLine(signedNoteText(size % 2 === 0 ? { ...signed, signatures } : signed));
  };
  const header = (): void => {
    const after = { seq: from - 1, hash: rows[from - 2]?.hash ?? zeroHash };
    const keys = [verifierKeyText(logKey(chain, key.publicKey))];
    lines.push(headerLine({ chain, after, frontier: tree.frontier(), keys }));
    if (from > 1) lines.push(note(from - 1));
  };
  if (from === 1) header();
  for (const [at, row] of rows.entries()) {
    const seq = at + 1;
    tree.add(leafHashOfHex(row.hash));
    if (seq >= from) lines.push(receiptLine(row));
    if (seq === from - 1) header();
    else if (seq >= from && seq % 5 === 0) lines.push(note(seq));
  }
  lines.push(endLine({ seq: rows.length, hash: rows.at(-1)?.hash ?? zeroHash }));
  return lines;
};

/** What somebody without the key may do to the lines of an export, from clumsy to careful. */
type Tampering = (lines: string[], other: readonly string[]) => void;

const isReceipt = (line: string): boolean => line.startsWith('{"hash":"');
const placesOf = (lines: readonly string[], holds: (line: string) => boolean): readonly number[] =>
  lines.flatMap((line, at) => (holds(line) ? [at] : []));
const change = (lines: string[], at: number | undefined, by: (line: string) => string): void => {
  const line = at === undefined ? undefined : lines[at];
  if (at !== undefined && line !== undefined) lines[at] = by(line);
};
const anyReceipt = (lines: readonly string[]): number | undefined => oneOf(placesOf(lines, isReceipt));
const anyCheckpoint = (lines: readonly string[]): number | undefined =>
  oneOf(placesOf(lines, (line) => line.startsWith('{"checkpoint"')));
const rehashed = (receipt: string): string => receiptLine({ hash: receiptHash(receipt), receipt });
const receiptOf = (line: string): string => line.slice(85, -1);
const noteOf = (line: string): string => (JSON.parse(line) as { readonly checkpoint: string }).checkpoint;

/** Every hash and link after an edit made right again: what only a checkpoint tells. */
const relinked = (lines: string[]): void => {
  let before: string | null = null;
  for (const at of placesOf(lines, isReceipt)) {
    let receipt = receiptOf(lines[at] as string);
    const prev: string | null = before;
    if (prev !== null) receipt = receipt.replace(/"prev":"[0-9a-f]{64}"/, () => `"prev":"${prev}"`);
    lines[at] = rehashed(receipt);
    before = receiptHash(receipt);
  }
  const last: string | null = before;
  change(lines, lines.length - 1, (line) =>
    line.replace(/"hash":"[0-9a-f]{64}"/, () => `"hash":"${last ?? zeroHash}"`),
  );
};

const resigned = (line: string, by: PrivateKey, name: string): string => {
  const text = noteOf(line).split("\n\n")[0] ?? "";
  const [origin = "", size = "0", root = ""] = text.split("\n");
  const signed = signCheckpoint({ origin, size: Number(size), root: Buffer.from(root, "base64") }, by);
  return checkpointLine(signedNoteText({ ...signed, signatures: signed.signatures.map((one) => ({ ...one, name })) }));
};

const tamperings: readonly Tampering[] = [
  (lines) => change(lines, random(lines.length), (line) => flipped(line)),
  (lines) => void lines.splice(random(lines.length), 1),
  (lines) => void lines.splice(random(lines.length), 0, oneOf(lines)),
  (lines) => {
    const [one, other] = [random(lines.length), random(lines.length)];
    [lines[one], lines[other]] = [lines[other] as string, lines[one] as string];
  },
  (lines, other) => change(lines, random(lines.length), () => oneOf(other)),
  (lines) => change(lines, anyReceipt(lines), (line) => line.replace('"ALLOW"', '"BLOCK"')),
  (lines) => change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace("refund", "refunds"))),
  (lines) => change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace('"kind"', ' "kind"'))),
  (lines) => change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace('"v":', '"more":1,"v":'))),
  (lines) =>
    change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace(/"time_ms":(\d+)/, oneOf(numbers)))),
  (lines) =>
    change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace(/"seq":\d+/, `"seq":${random(40)}`))),
  (lines) =>
    change(lines, anyReceipt(lines), (line) =>
      rehashed(receiptOf(line).replace("π", oneOf(["\\u03c0", "\\ud800", "\ud7ff"]))),
    ),
  (lines) => {
    change(lines, anyReceipt(lines), (line) => rehashed(receiptOf(line).replace('"ALLOW"', '"BLOCK"')));
    relinked(lines);
  },
  (lines) => {
    lines.splice(anyReceipt(lines) ?? 1, 1);
    relinked(lines);
  },
  (lines) => void lines.splice(anyCheckpoint(lines) ?? 1, 1),
  (lines) => change(lines, anyCheckpoint(lines), (line) => resigned(line, stranger, originOf("0".repeat(32)))),
  (lines) => change(lines, anyCheckpoint(lines), (line) => resigned(line, stranger, noteOf(line).split("\n")[0] ?? "")),
  (lines) => change(lines, anyCheckpoint(lines), (line) => checkpointLine(flipped(noteOf(line)))),
  (lines) =>
    change(lines, anyCheckpoint(lines), (line) =>
      checkpointLine(
        noteOf(line).replace(/\n(\d+)\n/, `\n${oneOf(["0", "5", "05", "10", "-1", "9007199254740993"])}\n`),
      ),
    ),
  (lines) =>
    change(lines, anyCheckpoint(lines), (line) =>
      checkpointLine(noteOf(line).replace("\n\n", oneOf(["\n", "\n\n\n", "\n\u0001\n\n", "\nextension\n\n"]))),
    ),
  (lines) =>
    change(lines, anyCheckpoint(lines), (line) =>
      checkpointLine(noteOf(line).replace(witnessName, "witness.example/w2")),
    ),
  (lines) => change(lines, 0, (line) => line.replace(/"seq":\d+/, `"seq":${random(9)}`)),
  (lines) => change(lines, 0, (line) => line.replace(/"frontier":\[[^\]]*\]/, '"frontier":[]')),
  (lines) =>
    change(lines, 0, (line) =>
      line
        .replace(/"v":2/, '"v":1')
        .replace(/"frontier":\[[^\]]*\],/, "")
        .replace(/"keys":\[[^\]]*\],/, ""),
    ),
  (lines) => change(lines, 0, (line) => line.replace(/"frontier":\["./, (found) => `${found.slice(0, -1)}0`)),
  (lines) => change(lines, 0, (line) => `\ufeff${line}`),
  (lines) =>
    change(lines, 0, (line) => line.replace(/"seq":\d+/, oneOf(['"seq":9007199254740991', '"seq":9007199254740993']))),
  (lines) => change(lines, anyReceipt(lines), () => rehashed(`{"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`)),
  (lines) =>
    change(lines, anyCheckpoint(lines), (line) =>
      checkpointLine(noteOf(line).replace(/^[^\n]*/, "\u{1f600}".repeat(oneOf([512, 513, 1024, 1025])))),
    ),
  (lines) => change(lines, random(lines.length), (line) => `${line}\r`),
  (lines) => change(lines, lines.length - 1, (line) => line.replace(/"seq":\d+/, '"seq":3')),
  (lines) => void lines.splice(random(lines.length)),
  (lines) => void lines.splice(0, lines.length),
  (lines) => void lines.push(oneOf(lines)),
];
const numbers = [
  '"time_ms":1e3',
  '"time_ms":1.0',
  '"time_ms":-0',
  '"time_ms":9007199254740993',
  '"time_ms":NaN',
  '"time_ms":true',
  '"time_ms":-5',
];

const flipped = (text: string): string => {
  const at = random(Math.max(text.length, 1));
  const put = oneOf(['"', "0", "f", "}", " ", "\n", "\u0000", "é", "A", "+", "="]);
  return text.slice(0, at) + put + text.slice(at + 1);
};

/** The verifier's own command, on many files in one process. */
const program = `
import contextlib, io, json, sys
import verify_receipts
for line in sys.stdin:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        verify_receipts.main(json.loads(line))
    print(out.getvalue().strip())
`;

const byPython = (asked: readonly (readonly string[])[]): readonly unknown[] => {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const input = asked.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { status, stdout, stderr, error } = spawnSync("python3", ["-c", program], {
    cwd,
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined) throw new Error(`python3 cannot be run (${error.message}): install Python 3.9 or newer`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
};

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}

test("both verifiers name the same finding at the same receipt, whatever was done to an export", async () => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-agreement-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [ours, others] = [rowsOfNewChain(), rowsOfNewChain()];
  const sound = [exported(ours.chain, ours.rows, 1), exported(ours.chain, ours.rows, pruned + 1)];
  const other = exported(others.chain, others.rows, 1);
  const pem = join(folder, "receipts.key.pub");
  writeFileSync(pem, key.publicKey.object.export({ format: "pem", type: "spki" }));
  const witnessKey = verifierKeyText(verifierKey(witnessName, "witness", witness.publicKey));
  const known = (await readGivenKey(pem)).map(believedAlways);
  const notes = sound[0]!
    .filter((line) => line.startsWith('{"checkpoint"'))
    .map((line, at) => {
      const path = join(folder, `kept-${at}`);
      writeFileSync(path, noteOf(line));
      return { path, read: readCheckpoint(noteOf(line))! };
    });

  const asked: string[][] = [];
  const answers: unknown[] = [];
  const problems = new Map<string, number>();
  for (let number = 0; number < mutants; number++) {
    const lines = [...oneOf(sound)];
    const times = number < sound.length ? 0 : 1 + random(2);
    for (let time = 0; time < times; time++) oneOf(tamperings)(lines, other);
    const text = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
    const path = join(folder, createHash("sha256").update(String(number)).digest("hex").slice(0, 12));
    writeFileSync(path, text);
    const withKey = random(4) > 0;
    const withWitness = random(4) === 0;
    const keptNote = random(4) === 0 ? oneOf(notes) : null;
    asked.push([
      path,
      "--json",
      ...(withKey ? ["--key", pem] : []),
      ...(withWitness ? ["--witness", witnessKey, "--witnesses", "1"] : []),
      ...(keptNote === null ? [] : ["--checkpoint", keptNote.path]),
    ]);
    const verdict = await verifyExport(
      chunksOf(text),
      {
        chain: null,
        head: null,
        kept: keptNote === null ? [] : [keptNote.read],
        believed: {
          keys: withKey ? known : [],
          witnesses: withWitness ? [verifierKey(witnessName, "witness", witness.publicKey)] : [],
        },
        neverSigned: withKey ? "refused" : "taken",
        witnesses: withWitness ? 1 : 0,
        maxUnsigned: null,
      },
      () => undefined,
    );
    answers.push(JSON.parse(JSON.stringify(verdict)));
    const problem = verdict.finding?.problem ?? "whole";
    problems.set(problem, (problems.get(problem) ?? 0) + 1);
  }
  const differing = byPython(asked).flatMap((theirs, at) =>
    JSON.stringify(sortedKeys(theirs)) === JSON.stringify(sortedKeys(answers[at]))
      ? []
      : [{ at, theirs, ours: answers[at] }],
  );
  expect(differing, `seed ${seed}`).toEqual([]);
  // The tamperings reach every kind of finding that an export alone can have.
  for (const problem of [
    "whole",
    "malformed",
    "edited",
    "gap",
    "forked",
    "reordered",
    "unlinked",
    "wrong_chain",
    "no_header",
    "no_end",
    "after_end",
  ]) {
    expect([...problems.keys()]).toContain(problem);
  }
  for (const problem of ["malformed", "bad_signature", "unknown_key", "wrong_chain", "mismatch", "reordered"]) {
    expect([...problems.keys()]).toContain(`checkpoint_${problem}`);
  }
  for (const problem of ["frontier_mismatch", "head_outside"]) expect([...problems.keys()]).toContain(problem);
}, 180_000);

const sortedKeys = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sortedKeys(item)]),
  );
};
