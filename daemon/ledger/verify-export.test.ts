import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportReceipts } from "./commands/export.ts";
import {
  checkpointLine,
  endLine,
  headerLine,
  readCheckpointLine,
  readEnd,
  readHeader,
  readReceiptLine,
  receiptLine,
} from "./export-format.ts";
import { exportLines, maxExportLineBytes } from "./export-lines.ts";
import { control, decision } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";
import { exportAll, nothingExpected } from "./verification/test-given.ts";
import { verifyExport } from "./verify-export.ts";

const byItself = { ...nothingExpected, chain: null };

async function* bytes(text: string | Uint8Array, chunk = 1_000): AsyncGenerator<Uint8Array> {
  const all = Buffer.from(text as string);
  for (let at = 0; at < all.length; at += chunk) yield all.subarray(at, at + chunk);
}

const exported = async (count: number, from = 1): Promise<string[]> => {
  const state = temporaryState();
  const ledger = openAt(state);
  ledger.appendControl(control());
  for (let index = 1; index < count; index++)
    ledger.append([decision({ request: `r-${index}`, reason: "über \u2028" })]);
  ledger.close();
  const lines: string[] = [];
  for await (const line of (await exportReceipts({ state: state.path, store: "sqlite" }, { ...exportAll, from })).lines)
    lines.push(line);
  return lines;
};

const verified = (lines: readonly string[], expect_: Partial<Parameters<typeof verifyExport>[1]> = {}) =>
  verifyExport(bytes(lines.map((line) => `${line}\n`).join("")), { ...byItself, ...expect_ }, () => {});

const findingOf = async (lines: readonly string[]): Promise<unknown> => {
  const result = await verified(lines);
  return result.whole ? null : result.finding;
};

test("an export verifies by itself, in chunks of any size", async () => {
  const lines = await exported(12);
  const text = lines.map((line) => `${line}\n`).join("");
  for (const chunk of [1, 7, 997, 1_000_000]) {
    const result = await verifyExport(bytes(text, chunk), byItself, () => {});
    expect(result).toMatchObject({ whole: true, receipts: 12, head: { seq: 12 } });
  }
});

test("a part of a chain verifies from the head that it begins after", async () => {
  const lines = await exported(12, 5);
  expect(lines).toHaveLength(8 + 2);
  expect(await verified(lines)).toMatchObject({ whole: true, receipts: 8, head: { seq: 12 } });
});

test("an empty ledger has an export of two lines", async () => {
  const state = temporaryState();
  openAt(state).close();
  const lines: string[] = [];
  for await (const line of (await exportReceipts({ state: state.path, store: "sqlite" }, exportAll)).lines)
    lines.push(line);
  expect(lines).toHaveLength(2);
  expect(await verified(lines)).toMatchObject({ whole: true, receipts: 0 });
});

test("the format needs a JSON parser and SHA-256, as docs/receipts.md says", async () => {
  const [header = "", ...rest] = await exported(5);
  const end = JSON.parse(rest.pop() ?? "");
  let head = JSON.parse(header).after;
  for (const line of rest) {
    const { hash, receipt } = JSON.parse(line);
    const own = Buffer.from(line).subarray(85, -1);
    expect(JSON.parse(own.toString())).toEqual(receipt);
    expect(createHash("sha256").update("interlock receipt v1\n").update(own).digest("hex")).toBe(hash);
    expect(receipt.prev).toBe(head.hash);
    expect(receipt.seq).toBe(head.seq + 1);
    expect(receipt.chain).toBe(JSON.parse(header).chain);
    head = { hash, seq: receipt.seq };
  }
  expect(end).toEqual({ end: head });
});

describe("is found", () => {
  const cases: [string, (lines: string[]) => string[], string][] = [
    ["an edited receipt", (l) => l.with(3, l[3]!.replace("ALLOW", "BLOCK")), "edited"],
    ["a line that is missing", (l) => l.toSpliced(3, 1), "gap"],
    ["a line twice", (l) => l.toSpliced(3, 0, l[3]!), "forked"],
    ["lines in another order", (l) => l.with(3, l[4]!).with(4, l[3]!), "gap"],
    ["an export that was cut off", (l) => l.slice(0, -2), "no_end"],
    ["an export without its last receipt", (l) => l.toSpliced(-2, 1), "no_end"],
    ["an export without its header", (l) => l.slice(1), "no_header"],
    ["nothing", () => [], "no_header"],
    ["a line after the end", (l) => [...l, l[3]!], "after_end"],
    ["a header of another version", (l) => l.with(0, l[0]!.replace('"v":2', '"v":3')), "no_header"],
    ["a line that is no receipt", (l) => l.with(3, '{"hash":"00","receipt":{}}'), "malformed"],
    ["a receipt with a key more", (l) => l.with(3, l[3]!.replace('"v":2', '"u":1,"v":2')), "malformed"],
    ["an empty line", (l) => l.toSpliced(3, 0, ""), "malformed"],
    ["another chain's header", (l) => l.with(0, l[0]!.replace(/"chain":"./, '"chain":"x')), "no_header"],
  ];
  test.each(cases)("%s", async (_name, change, problem) => {
    const lines = await exported(8);
    expect(await findingOf(lines)).toBeNull();
    const finding = await findingOf(change([...lines]));
    if (problem === "unlinked")
      expect(finding).toMatchObject({ problem: expect.stringMatching(/^(forked|unlinked)$/) });
    else expect(finding).toMatchObject({ problem });
  });

  test("another chain than the expected one", async () => {
    const lines = await exported(3);
    expect(await verified(lines, { chain: "0".repeat(32) })).toMatchObject({
      whole: false,
      finding: { problem: "wrong_chain" },
    });
  });

  test("an export that was cut off and ended anew, where a head was noted", async () => {
    const lines = await exported(8);
    const head = readEnd(lines.at(-1)!)!;
    const earlier = JSON.parse(lines[5]!);
    const cut = [...lines.slice(0, 6), endLine({ seq: earlier.receipt.seq, hash: earlier.hash })];
    expect(await verified(cut)).toMatchObject({ whole: true });
    expect(await verified(cut, { head })).toMatchObject({ finding: { problem: "truncated" } });
  });

  test("bytes that are not UTF-8, and a line that is too long", async () => {
    const [header = ""] = await exported(1);
    const bad = Buffer.concat([Buffer.from(`${header}\n`), Buffer.from([0xff, 0x0a])]);
    for (const input of [
      bad,
      `${header}\n${"x".repeat(maxExportLineBytes + 1)}\n`,
      `${header}\n${"x".repeat(maxExportLineBytes + 1)}`,
    ]) {
      expect(await verifyExport(bytes(input), byItself, () => {})).toMatchObject({
        whole: false,
        finding: { problem: "malformed" },
      });
    }
  });
});

test("lines are cut the same whatever the chunks are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme" }).filter((s) => !s.includes("\n"))),
      fc.integer({ min: 1, max: 9 }),
      async (lines, chunk) => {
        const cut: string[] = [];
        for await (const line of exportLines(bytes(lines.map((line) => `${line}\n`).join(""), chunk))) cut.push(line);
        expect(cut).toEqual(lines);
      },
    ),
  );
});

test("every line of the format is read back as it was written", () => {
  const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(hex, fc.maxSafeNat(), (hash, seq) => {
      const header = {
        chain: hash.slice(0, 32),
        after: { seq, hash },
        frontier: [hash, hash],
        keys: [`log+${hash}+A/=`],
      };
      expect(readHeader(headerLine(header))).toEqual({ v: 2, ...header });
      const note = `a "note" — of\n${hash}\n`;
      expect(readCheckpointLine(checkpointLine(note))).toBe(note);
      expect(readCheckpointLine(checkpointLine(note).replace("—", "\\u2014"))).toBeNull();
      expect(readEnd(endLine({ seq, hash }))).toEqual({ seq, hash });
      expect(readReceiptLine(receiptLine({ hash, receipt: '{"a":1}' }))).toEqual({ hash, receipt: '{"a":1}' });
      expect(readReceiptLine(endLine({ seq, hash }))).toBeNull();
      expect(readEnd(receiptLine({ hash, receipt: '{"a":1}' }))).toBeNull();
    }),
  );
});

test("a receipt that is nested as deep as a line is long is no receipt", async () => {
  const lines = await exported(3);
  for (const nested of [
    "[".repeat(400_000) + "]".repeat(400_000),
    `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`,
  ]) {
    const receipt = `{"a":${nested}}`;
    expect(await findingOf(lines.with(2, receiptLine({ hash: "0".repeat(64), receipt })))).toEqual({
      seq: 2,
      problem: "malformed",
    });
  }
});

test("a number that is none to every reader is in no header", async () => {
  const [header = "", ...rest] = await exported(3);
  for (const seq of ["9007199254740992", "9007199254740993", "9999999999999999"]) {
    const lines = [header.replace('"seq":0', `"seq":${seq}`), ...rest];
    expect(await findingOf(lines)).toEqual({ seq: 1, problem: "no_header" });
  }
});
