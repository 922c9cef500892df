import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import type { PrunedMark } from "../../store/reader-rows.ts";
import type { ReceiptReader } from "../../store/receipt-reader.ts";
import { cosign } from "../checkpoints/cosignature.ts";
import { parseSignedNote, signedNoteText } from "../checkpoints/signed-note.ts";
import { verifierKey } from "../checkpoints/verifier-key.ts";
import { temporaryDirectory } from "../test-state.ts";
import { CompactRange } from "../tree/compact-range.ts";
import { leafHashOfHex } from "../tree/tree-hash.ts";
import { readCheckpoint } from "../verification/read-checkpoint.ts";
import { believedAlways } from "../verification/signers.ts";
import { chain, SignedLog } from "../verification/test-signed-log.ts";
import { judgeProof } from "./judge-proof.ts";
import { makeProof } from "./make-proof.ts";
import { parseProof, proofLine, type ReceiptProof } from "./proof-file.ts";
import { NodeMissing } from "./stored-tree.ts";
import { TileRoots } from "./tile-roots.ts";

const key = generateKeyPair();
const believed = { keys: [believedAlways(key.publicKey)], witnesses: [] };

/** What a store answers of a log in memory, its first `through` receipts pruned; `read` counts the receipts it was asked for. */
const readerOf = (log: SignedLog, through = 0): ReceiptReader & { read: number } => {
  const rows = log.rows.map((row) => ({ ...row, salt: null, final_salt: null }));
  const range = CompactRange.empty();
  for (const { hash } of rows.slice(0, through)) range.add(leafHashOfHex(hash));
  const mark: PrunedMark = { through, hash: rows[through - 1]?.hash ?? "", frontier: range.frontier(), time_ms: 0 };
  return {
    read: 0,
    chain,
    mark: () => (through === 0 ? null : mark),
    newestSeq: () => rows.length,
    find: (seq) => rows[seq - 1] ?? null,
    *rows(from, to) {
      for (const row of rows.slice(Math.max(from - 1, through), to)) {
        this.read += 1;
        yield row;
      }
    },
    *checkpoints() {},
    checkpointThrough: () => null,
    boxes: () => new Map(),
    documents: { findDocument: () => null, listDocuments: () => [], documentVersions: () => [] },
    keyDigest: () => null,
    close: () => {},
  };
};

const noted = (log: SignedLog, size: number) => {
  const text = log.notes.get(size)!;
  return { text, read: readCheckpoint(text)! };
};

const proofOf = (
  log: SignedLog,
  seq: number,
  {
    older = null,
    through = 0,
    rootsPath = join(temporaryDirectory(), "receipts.tiles"),
  }: { older?: number | null; through?: number; rootsPath?: string } = {},
): Promise<ReceiptProof> =>
  makeProof(readerOf(log, through), {
    row: log.rows[seq - 1]!,
    newest: noted(log, log.rows.length),
    older: older === null ? null : noted(log, older),
    rootsPath,
    progress: () => {},
  });

describe("a proof", () => {
  test("of any receipt in a log of any size holds, and that the log continues any older one", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 700 }), fc.nat(), fc.nat(), async (size, at, before) => {
        const older = 1 + (before % size);
        const log = new SignedLog(key).append(older).sign();
        log.append(size - older).sign();
        const seq = 1 + (at % size);
        const proof = await proofOf(log, seq, { older });
        expect(judgeProof(parseProof(proofLine(proof))!, believed)).toMatchObject({
          problem: null,
          size,
          continues: older,
        });
      }),
      { numRuns: 25 },
    );
  });

  test("is made of a pruned log as of a whole one", async () => {
    const log = new SignedLog(key).append(1_000).sign();
    for (const through of [1, 255, 256, 300, 511, 768, 999]) {
      for (const seq of [through + 1, 1_000]) {
        expect(await proofOf(log, seq, { through })).toEqual(await proofOf(log, seq));
      }
    }
    await expect(proofOf(log, 3, { through: 4 })).rejects.toThrow(NodeMissing);
  });

  test("reads all receipts once, and a tile from then on", async () => {
    const log = new SignedLog(key).append(2_000).sign();
    const rootsPath = join(temporaryDirectory(), "receipts.tiles");
    const ask = async (seq: number): Promise<number> => {
      const reader = readerOf(log);
      const newest = noted(log, 2_000);
      const question = {
        row: log.rows[seq - 1]!,
        newest,
        older: null,
        rootsPath,
        progress: () => {},
      };
      expect(judgeProof(await makeProof(reader, question), believed).problem).toBeNull();
      return reader.read;
    };
    expect(await ask(700)).toBeGreaterThan(1_700);
    expect(await ask(700)).toBeLessThanOrEqual(512);
    expect(await ask(1)).toBeLessThanOrEqual(512);
    expect(statSync(rootsPath).mode & 0o777).toBe(0o600);
  });
});

describe("does not hold", () => {
  const log = new SignedLog(key).append(200).sign().append(100).sign();
  const other = new SignedLog(generateKeyPair()).append(300, "another").sign();
  const flipped = (hex: string): string => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
  const cases: [string, (proof: ReceiptProof) => Promise<ReceiptProof> | ReceiptProof, string][] = [
    ["a receipt that was edited", (p) => ({ ...p, receipt: p.receipt.replace("as it was", "as it is") }), "edited"],
    ["a hash that was edited", (p) => ({ ...p, hash: flipped(p.hash) }), "edited"],
    ["another place", (p) => ({ ...p, index: p.index + 1 }), "moved"],
    ["a node that was edited", (p) => ({ ...p, nodes: p.nodes.with(2, flipped(p.nodes[2]!)) }), "checkpoint_mismatch"],
    ["a node too few", (p) => ({ ...p, nodes: p.nodes.slice(1) }), "checkpoint_mismatch"],
    [
      "a receipt of another log",
      async (p) => ({ ...(await proofOf(other, 7)), checkpoint: p.checkpoint }),
      "checkpoint_mismatch",
    ],
    [
      "a checkpoint that somebody else signed",
      (p) => ({ ...p, checkpoint: other.notes.get(300)! }),
      "checkpoint_unknown_key",
    ],
    [
      "a checkpoint of another chain",
      (p) => ({ ...p, checkpoint: p.checkpoint.replaceAll(chain, "cd".repeat(16)) }),
      "checkpoint_wrong_chain",
    ],
    ["no checkpoint", (p) => ({ ...p, checkpoint: "none" }), "checkpoint_malformed"],
    [
      "a signature over something else",
      (p) => ({ ...p, checkpoint: p.checkpoint.replace("\n300\n", "\n301\n") }),
      "checkpoint_bad_signature",
    ],
    [
      "an older checkpoint that is not its beginning",
      (p) => {
        const fork = new SignedLog(key).append(200, "another").sign();
        return { ...p, consistency: { ...p.consistency!, checkpoint: fork.notes.get(200)! } };
      },
      "forked",
    ],
  ];
  test.each(cases)("%s", async (_name, change, problem) => {
    const proof = await proofOf(log, 7, { older: 200 });
    expect(judgeProof(proof, believed).problem).toBeNull();
    expect(judgeProof(await change(proof), believed).problem).toBe(problem);
  });

  test("to whoever names a witness, where he has not cosigned", async () => {
    const log = new SignedLog(key).append(5).sign();
    const [one, other] = [generateKeyPair(), generateKeyPair()];
    const note = parseSignedNote(log.notes.get(5)!)!;
    const signatures = [...note.signatures, cosign(note, "w/1", one, 1_760_000_000)];
    log.notes.set(5, signedNoteText({ ...note, signatures }));
    const proof = await proofOf(log, 3);
    const witnesses = [verifierKey("w/1", "witness", one.publicKey), verifierKey("w/2", "witness", other.publicKey)];
    expect(judgeProof(proof, { ...believed, witnesses: witnesses.slice(0, 1) }).problem).toBeNull();
    expect(judgeProof(proof, { ...believed, witnesses }).problem).toBe("too_few_witnesses");
  });
  test("any single change of any character of its file", async () => {
    const text = proofLine(await proofOf(log, 7, { older: 200 }));
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, unit) => {
        const changed = text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1);
        fc.pre(changed !== text);
        const proof = parseProof(changed);
        expect(proof === null || judgeProof(proof, believed).problem !== null).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the roots of tiles beside the store", () => {
  test("of another chain, or cut off, are used as far as they are this chain's", () => {
    const path = join(temporaryDirectory(), "receipts.tiles");
    const roots = new TileRoots(chain);
    for (let at = 1; at <= 3; at++) roots.add(new Uint8Array(32).fill(at));
    roots.add(null);
    roots.write(path);
    expect(TileRoots.read(path, chain).length).toBe(4);
    expect(TileRoots.read(path, chain).get(3)).toBeNull();
    expect(TileRoots.read(path, "cd".repeat(16)).length).toBe(0);
    writeFileSync(path, readFileSync(path).subarray(0, 100));
    expect(TileRoots.read(path, chain).length).toBe(2);
    writeFileSync(path, "junk");
    expect(TileRoots.read(path, chain).length).toBe(0);
    expect(TileRoots.read(`${path}.none`, chain).length).toBe(0);
  });

  test("that somebody altered make no proof that holds", async () => {
    const log = new SignedLog(key).append(1_000).sign();
    const rootsPath = join(temporaryDirectory(), "receipts.tiles");
    await proofOf(log, 7, { rootsPath });
    const bytes = readFileSync(rootsPath);
    bytes[70]! ^= 1;
    writeFileSync(rootsPath, bytes);
    expect(judgeProof(await proofOf(log, 900, { rootsPath }), believed).problem).toBe("checkpoint_mismatch");
  });
});
