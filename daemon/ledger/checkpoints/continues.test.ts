import { chmodSync, copyFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import { StoreRefused } from "../../store/refused.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { receiptHash } from "../hash.ts";
import { openConfiguredLedger } from "../open-configured.ts";
import { temporaryState } from "../test-state.ts";
import { ledgerOf, signerOf, testKey } from "./test-signer.ts";

/** A ledger of so many receipts, all of them signed. */
const signedLedger = async (count: number): Promise<StateDirectory> => {
  const state = temporaryState();
  ledgerOf(state, count);
  await sign(state);
  return state;
};

const sign = async (state: StateDirectory): Promise<void> => {
  const { store, signer } = signerOf(state);
  await writeKeyPair(state.receiptsKeyPath, testKey).catch(() => undefined);
  await signer.last();
  await store.close();
};

/** The code of the refusal, or the number of receipts of a ledger that is gone on with. */
const openedOr = async (state: StateDirectory): Promise<string | number> => {
  const settings = { state: state.path, store: "sqlite", durability: "process", deployment_key: "" } as const;
  try {
    const ledger = await openConfiguredLedger(settings, null, 0);
    const { seq } = await ledger.head();
    await ledger.close();
    return seq;
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    expect(error.message).not.toContain("\n");
    return error.code;
  }
};

const change = (state: StateDirectory, sql: string): void => {
  const { db } = openDatabase(state.ledgerPath, "write");
  db.exec(sql);
  db.close();
};

test("a ledger without checkpoints, and one that goes on from its own, is opened", async () => {
  const state = temporaryState();
  ledgerOf(state, 3);
  expect(await openedOr(state)).toBe(3);
  await sign(state);
  expect(await openedOr(state)).toBe(3);
  ledgerOf(state, 3);
  expect(await openedOr(state)).toBe(6);
});

test("a ledger that was cut off is not gone on with: its rows say more, or the file does", async () => {
  const state = temporaryState();
  ledgerOf(state, 3);
  ledgerOf(state, 3);
  await sign(state);
  change(state, "DELETE FROM pages WHERE first > 1");
  expect(await openedOr(state)).toBe("ledger_truncated");
  rmSync(state.checkpointPath);
  expect(await openedOr(state)).toBe("ledger_truncated");
});

test("an older copy of the database that was put back is not gone on with", async () => {
  const state = await signedLedger(3);
  copyFileSync(state.ledgerPath, `${state.ledgerPath}.backup`);
  ledgerOf(state, 3);
  await sign(state);
  renameSync(`${state.ledgerPath}.backup`, state.ledgerPath);
  rmSync(`${state.ledgerPath}-wal`, { force: true });
  expect(await openedOr(state)).toBe("ledger_truncated");
});

test("an older copy that somebody has gone on from is another ledger than was signed", async () => {
  const state = await signedLedger(3);
  copyFileSync(state.ledgerPath, `${state.ledgerPath}.backup`);
  ledgerOf(state, 3);
  await sign(state);
  renameSync(`${state.ledgerPath}.backup`, state.ledgerPath);
  rmSync(`${state.ledgerPath}-wal`, { force: true });
  ledgerOf(state, 9);
  expect(await openedOr(state)).toBe("ledger_forked");
});

test("two copies of a state directory that both went on do not take each other's checkpoint", async () => {
  const state = await signedLedger(3);
  copyFileSync(state.ledgerPath, `${state.ledgerPath}.copy`);
  ledgerOf(state, 2);
  await sign(state);
  copyFileSync(state.checkpointPath, `${state.checkpointPath}.one`);
  renameSync(`${state.ledgerPath}.copy`, state.ledgerPath);
  rmSync(`${state.ledgerPath}-wal`, { force: true });
  rmSync(state.checkpointPath);
  rmSync(state.treePath);
  ledgerOf(state, 2);
  await sign(state);
  expect(await openedOr(state)).toBe(5);
  renameSync(`${state.checkpointPath}.one`, state.checkpointPath);
  expect(await openedOr(state)).toBe("ledger_forked");
});

test("a last receipt that was written anew, with a hash that fits, is found at the start", async () => {
  const state = await signedLedger(3);
  const { db } = openDatabase(state.ledgerPath, "write");
  const { lines } = db.prepare("SELECT lines FROM pages").get() as { lines: string };
  const rows = lines.split("\n");
  const altered = (rows[2] as string).replace('"amount":100', '"amount":200').replace('"allowed"', '"ALLOWED"');
  const hash = receiptHash(altered.slice(altered.indexOf("{")));
  rows[2] = altered.replace(/ [0-9a-f]{64} /, ` ${hash} `);
  db.prepare("UPDATE pages SET lines = ?").run(rows.join("\n"));
  db.close();
  expect(await openedOr(state)).toBe("ledger_forked");
});

test("a chain with checkpoints and without its key is refused; with the key back it is opened", async () => {
  const state = await signedLedger(3);
  renameSync(state.receiptsKeyPath, `${state.receiptsKeyPath}.away`);
  expect(await openedOr(state)).toBe("receipts_key_missing");
  rmSync(state.checkpointPath);
  expect(await openedOr(state)).toBe("receipts_key_missing");
  renameSync(`${state.receiptsKeyPath}.away`, state.receiptsKeyPath);
  expect(await openedOr(state)).toBe(3);
});

test.each<[string, (state: StateDirectory) => void, string]>([
  ["is empty", ({ checkpointPath }) => writeFileSync(checkpointPath, ""), "checkpoint_unusable"],
  [
    "is garbage",
    ({ checkpointPath }) => writeFileSync(checkpointPath, "garbage\n\n— a AAAAAAAA\n"),
    "checkpoint_unusable",
  ],
  ["others can read", ({ checkpointPath }) => chmodSync(checkpointPath, 0o644), "checkpoint_unusable"],
  [
    "is a link",
    ({ checkpointPath }) => {
      renameSync(checkpointPath, `${checkpointPath}.real`);
      symlinkSync(`${checkpointPath}.real`, checkpointPath);
    },
    "checkpoint_unusable",
  ],
])("a checkpoint file that %s is refused", async (_what, spoil, code) => {
  const state = await signedLedger(3);
  spoil(state);
  expect(await openedOr(state)).toBe(code);
});

test("a new chain beside the checkpoint of another is refused: a ledger was removed with its key", async () => {
  const state = await signedLedger(3);
  for (const path of [state.ledgerPath, `${state.ledgerPath}-wal`, state.keyPath]) rmSync(path, { force: true });
  expect(await openedOr(state)).toBe("ledger_other_chain");
});
