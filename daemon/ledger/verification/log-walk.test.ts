import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { logKey } from "../checkpoints/checkpoint.ts";
import { cosign } from "../checkpoints/cosignature.ts";
import { parseSignedNote, signedNoteText } from "../checkpoints/signed-note.ts";
import { verifierKey } from "../checkpoints/verifier-key.ts";
import { checkpointLine, headerLine } from "../export-format.ts";
import { start_ms } from "../test-records.ts";
import type { ChainFinding } from "../verify.ts";
import { type ExportExpectations, verifyExport } from "../verify-export.ts";
import type { LogVerdict } from "./findings.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { believedAlways } from "./signers.ts";
import { nothingExpected } from "./test-given.ts";
import { chain, SignedLog } from "./test-signed-log.ts";

async function* bytes(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

const key = generateKeyPair();
const witness = generateKeyPair();
const known = { keys: [believedAlways(key.publicKey)], witnesses: [] };
const verdictOf = (lines: readonly string[], expect_: Partial<ExportExpectations> = {}): Promise<LogVerdict> =>
  verifyExport(
    bytes(lines),
    { ...nothingExpected, chain: null, believed: known, neverSigned: "refused", ...expect_ },
    () => {},
  );
const findingOf = async (
  lines: readonly string[],
  expect_: Partial<ExportExpectations> = {},
): Promise<ChainFinding | null> => (await verdictOf(lines, expect_)).finding;

/** Ten receipts, checkpoints at 4 and 8. */
const ten = (): SignedLog => new SignedLog(key).append(4).sign().append(4).sign().append(2);
const at = (lines: readonly string[], size: number): number =>
  lines.findIndex((line) => line.startsWith('{"checkpoint"') && line.includes(`\\n${size}\\n`));
const kept = (log: SignedLog, size: number) => [readCheckpoint(log.notes.get(size)!)!];

test("a signed log is whole, and says up to where and by whom it is signed", async () => {
  expect(await verdictOf(ten().lines())).toEqual({
    chain,
    checkpoints: { count: 2, keys: [logKey(chain, key.publicKey).keyHash], signed_through: 8, witnesses: [] },
    finding: null,
    head: { seq: 10, hash: ten().rows[9]!.hash },
    pruned_at: null,
    receipts: 10,
    whole: true,
  });
});

test("without a key nothing is signed, whatever the export says", async () => {
  const { checkpoints, whole } = await verdictOf(ten().lines(), {
    believed: { keys: [], witnesses: [] },
    neverSigned: "taken",
  });
  expect({ checkpoints, whole }).toEqual({
    checkpoints: { count: 2, keys: [], signed_through: null, witnesses: [] },
    whole: true,
  });
});

describe("is found, and named where it is", () => {
  const other = generateKeyPair();
  const cases: [string, (log: SignedLog) => string[], ChainFinding][] = [
    [
      "a rewritten suffix with right hashes, behind checkpoints that stayed",
      (log) => {
        const anew = new SignedLog(key).append(5).append(5, "as it was not");
        for (const [size, note] of log.notes) anew.notes.set(size, note);
        return anew.lines();
      },
      { seq: 8, problem: "checkpoint_mismatch" },
    ],
    ["no checkpoint at all", () => new SignedLog(key).append(10).lines(), { seq: 10, problem: "checkpoint_missing" }],
    [
      "a checkpoint that another key signed",
      () => new SignedLog(key).append(4).sign(other).lines(),
      { seq: 4, problem: "checkpoint_unknown_key" },
    ],
    [
      "a signature over another checkpoint",
      (log) => {
        const [text] = log.notes.get(8)!.split("\n\n");
        const [, signatures] = log.notes.get(4)!.split("\n\n");
        log.notes.set(8, `${text}\n\n${signatures}`);
        return log.lines();
      },
      { seq: 8, problem: "checkpoint_bad_signature" },
    ],
    [
      "a checkpoint of another chain",
      (log) => {
        log.notes.set(4, log.notes.get(4)!.replaceAll(chain, "cd".repeat(16)));
        return log.lines();
      },
      { seq: 4, problem: "checkpoint_wrong_chain" },
    ],
    [
      "a checkpoint in the place of another",
      (log) => {
        log.notes.set(8, log.notes.get(4)!);
        return log.lines();
      },
      { seq: 8, problem: "checkpoint_reordered" },
    ],
    [
      "a checkpoint twice",
      (log) => {
        const lines = log.lines();
        return lines.toSpliced(at(lines, 4), 0, lines[at(lines, 4)]!);
      },
      { seq: 4, problem: "checkpoint_reordered" },
    ],
    [
      "two checkpoints of one size that differ",
      (log) => {
        const lines = log.lines();
        const fork = new SignedLog(key).append(4, "as it was not").sign();
        return lines.toSpliced(at(lines, 4) + 1, 0, checkpointLine(fork.notes.get(4)!));
      },
      { seq: 4, problem: "forked" },
    ],
    [
      "a text that is no note",
      (log) => {
        log.notes.set(4, "a checkpoint");
        return log.lines();
      },
      { seq: 4, problem: "checkpoint_malformed" },
    ],
    [
      "a checkpoint's line that is written otherwise",
      (log) => {
        const lines = log.lines();
        return lines.with(at(lines, 4), lines[at(lines, 4)]!.replace("—", "\\u2014"));
      },
      { seq: 4, problem: "checkpoint_malformed" },
    ],
    [
      "a checkpoint in an export of version 1, which has none",
      (log) => {
        const lines = log.lines();
        const { seq, hash } = { seq: 0, hash: "0".repeat(64) };
        return lines.with(
          0,
          `{"after":{"hash":"${hash}","seq":${seq}},"chain":"${chain}","kind":"interlock-receipts","v":1}`,
        );
      },
      { seq: 5, problem: "malformed" },
    ],
  ];
  test.each(cases)("%s", async (_name, change, finding) => {
    expect(await findingOf(change(ten()))).toEqual(finding);
  });
});

describe("against a checkpoint that was kept elsewhere", () => {
  test("a log that continues it is whole", async () => {
    for (const size of [4, 8]) expect(await findingOf(ten().lines(), { kept: kept(ten(), size) })).toBeNull();
  });
  test("one that was cut off before it is truncated", async () => {
    const short = new SignedLog(key).append(4).sign().append(3);
    expect(await findingOf(short.lines(), { kept: kept(ten(), 8) })).toEqual({ seq: 7, problem: "truncated" });
  });
  test("one that was written anew without checkpoints does not match it", async () => {
    const anew = new SignedLog(key).append(3).append(7, "as it was not");
    expect(await findingOf(anew.lines(), { kept: kept(ten(), 8) })).toEqual({ seq: 8, problem: "checkpoint_mismatch" });
  });
  test("two of one size that differ are a fork, whatever the log is", async () => {
    const fork = new SignedLog(key).append(8, "as it was not").sign();
    const both = [...kept(ten(), 8), ...kept(fork, 8)];
    expect(await findingOf(ten().lines(), { kept: both })).toEqual({ seq: 8, problem: "forked" });
  });
  test("one that nobody believed signed is no proof", async () => {
    const forged = new SignedLog(generateKeyPair()).append(8).sign();
    const finding = { seq: 8, problem: "checkpoint_unknown_key" };
    expect(await findingOf(ten().lines(), { kept: kept(forged, 8) })).toEqual(finding);
  });
  test("one from before the export's first receipt cannot be compared, and says so", async () => {
    expect(await findingOf(ten().lines(6), { kept: kept(ten(), 4) })).toEqual({ seq: 7, problem: "head_outside" });
  });
  test("a part without a tree cannot be compared with one of any size, and says so", async () => {
    // Version 1 in the middle of a chain: receipts that nobody signed would borrow the checkpoint's signature.
    const anew = new SignedLog(key).append(10, "as it was not").lines(2);
    const { seq, hash } = { seq: 2, hash: new SignedLog(key).append(2, "as it was not").rows[1]!.hash };
    const header = `{"after":{"hash":"${hash}","seq":${seq}},"chain":"${chain}","kind":"interlock-receipts","v":1}`;
    for (const size of [4, 8]) {
      const finding = { seq: 3, problem: "head_outside" };
      expect(await findingOf(anew.with(0, header), { kept: kept(ten(), size) })).toEqual(finding);
    }
  });
});

describe("a part of a log", () => {
  test("verifies from wherever it begins", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.nat(40), fc.nat(40), async (before, middle, rest) => {
        const log = new SignedLog(key).append(before).append(middle).sign().append(rest).sign();
        expect(await findingOf(log.lines(before))).toBeNull();
      }),
      { numRuns: 25 },
    );
  });
  test("after a checkpoint holds what that was signed over", async () => {
    const log = ten();
    expect(await findingOf(log.lines(4))).toBeNull();
    const forged = headerLine({
      chain,
      after: { seq: 4, hash: log.rows[3]!.hash },
      frontier: ["0".repeat(64)],
      keys: [],
    });
    expect(await findingOf(log.lines(4).with(0, forged))).toEqual({ seq: 4, problem: "frontier_mismatch" });
    expect(await findingOf(log.lines(5).with(0, forged.replace('"seq":4', '"seq":5')))).toEqual({
      seq: 5,
      problem: "frontier_mismatch",
    });
  });
  test("whose frontier is not what was signed is found at the next checkpoint", async () => {
    const log = ten();
    const frontier = ["0".repeat(64), "1".repeat(64)];
    const forged = headerLine({ chain, after: { seq: 5, hash: log.rows[4]!.hash }, frontier, keys: [] });
    expect(await findingOf(log.lines(5).with(0, forged))).toEqual({ seq: 8, problem: "checkpoint_mismatch" });
  });
});

describe("receipts after the last checkpoint", () => {
  test("are welcome up to a number that is given", async () => {
    expect(await findingOf(ten().lines(), { maxUnsigned: 2 })).toBeNull();
    expect(await findingOf(ten().lines(), { maxUnsigned: 1 })).toEqual({ seq: 9, problem: "unsigned_tail" });
  });
});

describe("witnesses", () => {
  const name = "witness.example/w1";
  const given = { ...known, witnesses: [verifierKey(name, "witness", witness.publicKey)] };
  const cosigned = (size: number): SignedLog => {
    const log = ten();
    const note = parseSignedNote(log.notes.get(size)!)!;
    const signatures = [...note.signatures, cosign(note, name, witness, 1_760_000_000)];
    log.notes.set(size, signedNoteText({ ...note, signatures }));
    return log;
  };
  test("are named where they cosigned", async () => {
    const { checkpoints, whole } = await verdictOf(cosigned(4).lines(), { believed: given, witnesses: 1 });
    expect({ whole, witnesses: checkpoints.witnesses }).toEqual({ whole: true, witnesses: [name] });
  });
  test("are counted by their keys: one that is given twice, or has two names, is one", async () => {
    const other = verifierKey("witness.example/w2", "witness", generateKeyPair().publicKey);
    const again = verifierKey("witness.example/again", "witness", witness.publicKey);
    const log = cosigned(4);
    const note = parseSignedNote(log.notes.get(4)!)!;
    const signatures = [...note.signatures, cosign(note, again.name, witness, 1_760_000_000)];
    log.notes.set(4, signedNoteText({ ...note, signatures }));
    for (const twice of [given.witnesses[0]!, again]) {
      const believed = { ...given, witnesses: [...given.witnesses, twice, other] };
      const finding = { seq: 10, problem: "too_few_witnesses" };
      expect(await findingOf(log.lines(), { believed, witnesses: 2 })).toEqual(finding);
    }
  });
  test("who are needed and did not are missed", async () => {
    const finding = { seq: 10, problem: "too_few_witnesses" };
    expect(await findingOf(ten().lines(), { believed: given, witnesses: 1 })).toEqual(finding);
  });
  test("whose cosignature does not hold are forged", async () => {
    const log = cosigned(4);
    const theirs = log.notes.get(4)!.split("\n").at(-2);
    log.notes.set(8, `${log.notes.get(8)}${theirs}\n`);
    expect(await findingOf(log.lines(), { believed: given })).toEqual({ seq: 8, problem: "checkpoint_bad_signature" });
  });
});

describe("a key that is believed for a time", () => {
  const bounds = { not_before_ms: null, not_after_ms: null, revoked_at_ms: null };
  const during = (times: Partial<typeof bounds> | Record<string, number>) => ({
    keys: [{ key: key.publicKey, ...bounds, ...times }],
    witnesses: [],
  });
  test.each([
    ["not_after_ms", start_ms + 5, { seq: 8, problem: "expired_key" }],
    ["not_before_ms", start_ms + 4, { seq: 4, problem: "expired_key" }],
    ["revoked_at_ms", start_ms + 7, { seq: 8, problem: "key_revoked" }],
    ["not_after_ms", start_ms + 7, null],
    ["not_before_ms", start_ms + 3, null],
    ["revoked_at_ms", start_ms + 8, null],
  ])("%s %i", async (bound, time_ms, finding) => {
    expect(await findingOf(ten().lines(), { believed: during({ [bound]: time_ms }) })).toEqual(finding);
  });
  test("is not missed where another signed too", async () => {
    const next = generateKeyPair();
    const log = new SignedLog(key).append(4).sign().append(4).sign(next);
    const believed = {
      keys: [...during({ not_after_ms: start_ms + 5 }).keys, believedAlways(next.publicKey)],
      witnesses: [],
    };
    expect(await findingOf(log.lines(), { believed })).toBeNull();
  });
});

test("any single change of any character of a signed log is found, or changes nothing that was signed", async () => {
  const lines = new SignedLog(key).append(4).sign().lines();
  const text = lines.join("\n");
  const header = lines[0]!.length;
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }), async (at, unit) => {
      // The header's keys are the exporter's word, which nobody believes.
      fc.pre(at > header || at < text.indexOf('"keys"'));
      const changed = text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1);
      fc.pre(changed !== text);
      expect(await findingOf(changed.split("\n"))).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});
