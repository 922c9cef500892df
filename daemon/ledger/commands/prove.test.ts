import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import { tamper } from "../../store/sqlite/test-pages.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { receiptsKey } from "../checkpoints/receipts-key.ts";
import { appendTo, signerOf } from "../checkpoints/test-signer.ts";
import { openAt, temporaryDirectory, temporaryState } from "../test-state.ts";
import { nothingGiven } from "../verification/test-given.ts";
import { exportTiles } from "./export-tiles.ts";
import type { CommandOutput } from "./output.ts";
import { prove } from "./prove.ts";
import { verify } from "./verify.ts";
import { verifyProof } from "./verify-proof.ts";

const lineOf = ({ lines }: CommandOutput): string => [...(lines as Iterable<string>)][0] ?? "";
const alone = { consistency: null, fromSize: null, progress: () => {} };
const given = { keyring: null, witnesses: [], json: false };

let state: StateDirectory;
let place: { readonly state: string; readonly store: string };
let older: string;
/** 600 receipts, checkpoints at 300 and 600; the older one was kept elsewhere. */
beforeEach(async () => {
  state = temporaryState();
  place = { state: state.path, store: "sqlite" };
  const ledger = openAt(state);
  const { signer, store } = signerOf(state, { key: await receiptsKey(state.receiptsKeyPath, false) });
  appendTo(ledger, 300);
  await signer.last();
  older = join(temporaryDirectory(), "older.note");
  copyFileSync(state.checkpointPath, older);
  appendTo(ledger, 300);
  await signer.last();
  await store.close();
  ledger.close();
});

const proofFile = async (options: Partial<typeof alone> | { consistency: string } = {}): Promise<string> => {
  const output = await prove(place, 7, { ...alone, ...options });
  expect(output).toMatchObject({ exitCode: 0, error: null });
  const path = join(temporaryDirectory(), "proof.json");
  writeFileSync(path, `${lineOf(output)}\n`);
  return path;
};

test("a proof holds by the key alone, and that the log continues an older checkpoint", async () => {
  const keys = [`${state.receiptsKeyPath}.pub`];
  for (const options of [{}, { consistency: older }, { fromSize: 300 }] as const) {
    const path = await proofFile(options as Partial<typeof alone>);
    const json = JSON.parse(lineOf(await verifyProof(path, { ...given, keys, json: true })));
    const continues = Object.keys(options).length === 0 ? null : 300;
    expect(json).toMatchObject({ proved: true, seq: 7, size: 600, continues, problem: null });
  }
});

test("without a key, by another one, or of what is no proof, nothing is proved", async () => {
  const path = await proofFile();
  await expect(verifyProof(path, { ...given, keys: [] })).rejects.toMatchObject({ exitCode: 2 });
  const { publicPath } = await writeKeyPair(join(temporaryDirectory(), "other"), generateKeyPair());
  expect(await verifyProof(path, { ...given, keys: [publicPath] })).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("checkpoint_unknown_key"),
  });
  await expect(verifyProof(older, { ...given, keys: [publicPath] })).rejects.toMatchObject({ exitCode: 2 });
  await expect(verifyProof(`${path}.none`, { ...given, keys: [publicPath] })).rejects.toMatchObject({ exitCode: 2 });
});

describe("is refused", () => {
  test("a receipt that is not there, and one that no checkpoint covers yet", async () => {
    const ledger = openAt(state);
    appendTo(ledger, 1);
    ledger.close();
    expect(await prove(place, 900, alone)).toMatchObject({
      exitCode: 2,
      error: "there is no receipt 900; the newest is 601",
    });
    expect(await prove(place, 601, alone)).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining("no checkpoint covers"),
    });
    await expect(prove(place, 7, { ...alone, fromSize: 299 })).rejects.toMatchObject({ exitCode: 2 });
  });

  test("a receipt that was edited and made right: nothing proves it", async () => {
    tamper(state, (row) => (row.seq === 7 ? { ...row, hash: "0".repeat(64) } : row));
    expect(await prove(place, 7, alone)).toMatchObject({ exitCode: 1, error: expect.stringContaining("edited") });
    expect(await prove(place, 8, alone)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining("checkpoint_mismatch"),
    });
  });
});

test("damaged roots of tiles are made anew", async () => {
  await proofFile();
  const path = join(state.path, "receipts.tiles");
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
  await proofFile();
  expect(readFileSync(path).equals(bytes)).toBe(false);
});

test("tiles are written once, into an empty folder, of a log that verifies", async () => {
  const folder = join(temporaryDirectory(), "tree");
  const options = { folder, progress: () => {} };
  expect(lineOf(await exportTiles(place, options))).toBe(`${folder}: the tree of 600 receipts and its checkpoint`);
  expect(readFileSync(join(folder, "checkpoint"), "utf8")).toBe(readFileSync(state.checkpointPath, "utf8"));
  expect(readFileSync(join(folder, "tile/0/002.p/88")).length).toBe(88 * 32);
  await expect(exportTiles(place, options)).rejects.toMatchObject({ exitCode: 2 });
  tamper(state, (row) => (row.seq === 9 ? null : row));
  const other = { ...options, folder: `${folder}-2` };
  expect(await exportTiles(place, other)).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("receipt 9: malformed"),
  });
});

test("whoever brings a key believes that one alone, and the state directory's own where none is brought", async () => {
  const quiet = { ...nothingGiven, json: false, progress: () => {} };
  const { publicPath } = await writeKeyPair(join(temporaryDirectory(), "other"), generateKeyPair());
  const own = `${state.receiptsKeyPath}.pub`;
  expect(await verify(place, { ...quiet, keys: [own] })).toMatchObject({ exitCode: 0 });
  expect(await verify(place, { ...quiet, keys: [publicPath] })).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining("checkpoint_unknown_key"),
  });
  const kept = join(temporaryDirectory(), "kept.pub");
  copyFileSync(own, kept);
  rmSync(own);
  await expect(verify(place, quiet)).rejects.toMatchObject({ exitCode: 2 });
  expect(await verify(place, { ...quiet, keys: [kept] })).toMatchObject({ exitCode: 0 });
});
