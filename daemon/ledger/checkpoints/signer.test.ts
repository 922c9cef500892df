import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { frontierText } from "../../store/reader-rows.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import type { StateDirectory } from "../../store/state-directory.ts";
import { openAt, temporaryState } from "../test-state.ts";
import { logKey } from "./checkpoint.ts";
import { noteSigners } from "./note-signers.ts";
import { appendTo, fileOf, hex, ledgerOf, rootOf, signerOf, testKey } from "./test-signer.ts";
import { readTreeFile } from "./tree-file.ts";

const change = (state: StateDirectory, sql: string, ...values: readonly unknown[]): void => {
  const { db } = openDatabase(state.ledgerPath, "write");
  db.prepare(sql).run(...values);
  db.close();
};

const sizesOf = (state: StateDirectory): readonly number[] => {
  const { db } = openDatabase(state.ledgerPath, "read");
  const sizes = db.prepare<[], number>("SELECT size FROM checkpoints ORDER BY size").pluck().all();
  db.close();
  return sizes;
};

const timeOf = (state: StateDirectory, size: number): number | undefined => {
  const { db } = openDatabase(state.ledgerPath, "read");
  const time_ms = db.prepare<[number], number>("SELECT time_ms FROM checkpoints WHERE size = ?").pluck().get(size);
  db.close();
  return time_ms;
};

/** Another hash of one receipt, as somebody would write it who has the database and no key. */
const rewriteHash = (state: StateDirectory, seq: number): void => {
  const { db } = openDatabase(state.ledgerPath, "write");
  const page = db.prepare("SELECT first, lines FROM pages WHERE first <= ? AND last >= ?").get(seq, seq) as {
    first: number;
    lines: string;
  };
  const lines = page.lines.split("\n");
  lines[seq - page.first] = (lines[seq - page.first] as string).replace(/ [0-9a-f]{64} /, ` ${"ab".repeat(32)} `);
  db.prepare("UPDATE pages SET lines = ? WHERE first = ?").run(lines.join("\n"), page.first);
  db.close();
};

test("a checkpoint is made once there are so many receipts that none covers, and after so long", async () => {
  const state = temporaryState();
  const ledger = openAt(state);
  const { store, signer, clock } = signerOf(state);
  await signer.look();
  expect(existsSync(state.checkpointPath)).toBe(false);
  appendTo(ledger, 9);
  await signer.look();
  expect(sizesOf(state)).toEqual([]);
  appendTo(ledger, 11);
  await signer.look();
  expect(sizesOf(state)).toEqual([20]);
  appendTo(ledger, 5);
  await signer.look();
  clock.monotonic_ms = 999;
  await signer.look();
  expect(fileOf(state).checkpoint.size).toBe(20);
  clock.monotonic_ms = 1_000;
  clock.now_ms = 7;
  await signer.look();
  expect(await store.newest()).toEqual({ size: 25, note: readFileSync(state.checkpointPath, "utf8") });
  expect(timeOf(state, 25)).toBe(7);
  clock.monotonic_ms = 9_000;
  await signer.look();
  expect(sizesOf(state)).toEqual([20, 25]);
  for (const size of sizesOf(state)) {
    const { note } = (await store.find(size))!;
    expect(note.split("\n")[2]).toBe(Buffer.from(rootOf(state, size), "hex").toString("base64"));
  }
  const key = logKey(store.chain, testKey.publicKey);
  expect(noteSigners(fileOf(state).note, [key]).signed).toEqual([key]);
  await store.close();
  ledger.close();
});

test("a wall clock that jumps neither makes a checkpoint nor keeps one back", async () => {
  const state = temporaryState();
  ledgerOf(state, 3);
  const { store, signer, clock } = signerOf(state);
  await signer.look();
  clock.now_ms = 9e15;
  await signer.look();
  expect(await store.newest()).toBeNull();
  clock.now_ms = -5;
  clock.monotonic_ms = 1_000;
  await signer.look();
  expect(timeOf(state, 3)).toBe(-5);
  await store.close();
});

test("the last one covers all that is there, and is made once", async () => {
  const state = temporaryState();
  ledgerOf(state, 4);
  const { store, signer } = signerOf(state);
  await signer.last();
  await signer.last();
  expect(sizesOf(state)).toEqual([4]);
  await store.close();
});

test("a restart goes on from the saved tree, and reads no receipt before its last", async () => {
  const state = temporaryState();
  ledgerOf(state, 300);
  const first = signerOf(state, { pace: { receipts: 100_000, after_ms: 1_000 } });
  await first.signer.last();
  await first.store.close();
  ledgerOf(state, 20);
  const read: number[] = [];
  const { store, signer } = signerOf(state, { onRead: (from) => void read.push(from) });
  await signer.last();
  expect(Math.min(...read)).toBe(300);
  const { size, root } = fileOf(state).checkpoint;
  expect(size).toBe(320);
  expect(hex(root)).toBe(rootOf(state, size));
  await store.close();
});

test.each([
  ["is missing", (state: StateDirectory) => rmSync(state.treePath)],
  [
    "was cut short",
    (state: StateDirectory) => writeFileSync(state.treePath, readFileSync(state.treePath).subarray(0, 90)),
  ],
  [
    "is another's",
    (state: StateDirectory) =>
      writeFileSync(state.treePath, readFileSync(state.treePath, "utf8").replace(/[0-9a-f]\n$/, "0\n")),
  ],
])("a saved tree that %s is built again from the receipts", async (_what, spoil) => {
  const state = temporaryState();
  ledgerOf(state, 30);
  const before = signerOf(state);
  await before.signer.last();
  await before.store.close();
  spoil(state);
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await signer.last();
  const { size, root } = fileOf(state).checkpoint;
  expect(size).toBe(35);
  expect(hex(root)).toBe(rootOf(state, size));
  expect(readTreeFile(state.treePath)?.tree.size).toBe(size);
  await store.close();
});

test("killed between the row and the file, the file is made at the next start", async () => {
  const state = temporaryState();
  ledgerOf(state, 12);
  const before = signerOf(state);
  await before.signer.last();
  await before.store.close();
  rmSync(state.checkpointPath);
  const { store, signer } = signerOf(state);
  await signer.last();
  expect(readFileSync(state.checkpointPath, "utf8")).toBe((await store.newest())?.note);
  await store.close();
});

test("a file that cannot be written fails, and is written once it can be", async () => {
  const state = temporaryState();
  ledgerOf(state, 12);
  const { store, signer } = signerOf(state);
  mkdirSync(`${state.checkpointPath}.new`);
  await expect(signer.last()).rejects.toMatchObject({
    name: "StoreFailed",
    message: expect.stringContaining("checkpoint"),
  });
  rmSync(`${state.checkpointPath}.new`, { recursive: true });
  await signer.last();
  expect(fileOf(state).checkpoint.size).toBe(12);
  await store.close();
});

test("receipts that were altered after they were signed are signed by no other checkpoint", async () => {
  const state = temporaryState();
  ledgerOf(state, 30);
  const before = signerOf(state);
  await before.signer.last();
  await before.store.close();
  rewriteHash(state, 7);
  rmSync(state.treePath);
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await expect(signer.last()).rejects.toMatchObject({ name: "ChainContradicted" });
  await expect(signer.look()).rejects.toThrow("not those that checkpoint 30 was made of");
  expect((await store.newest())?.size).toBe(30);
  await store.close();
});

test("an alteration that the saved tree does not see changes no root: what was signed stays signed", async () => {
  const state = temporaryState();
  ledgerOf(state, 30);
  const before = signerOf(state);
  await before.signer.last();
  await before.store.close();
  const whole = rootOf(state, 30);
  rewriteHash(state, 7);
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await signer.last();
  expect(fileOf(state).checkpoint.size).toBe(35);
  expect(hex(fileOf(state).checkpoint.root)).not.toBe(rootOf(state, 35));
  expect(whole).not.toBe(rootOf(state, 30));
  await store.close();
});

test("what is new is signed as it was noted when it was stored: a page that is altered before does not change the root", async () => {
  const state = temporaryState();
  ledgerOf(state, 30);
  const whole = rootOf(state, 30);
  rewriteHash(state, 7);
  const { store, signer } = signerOf(state);
  await signer.last();
  expect(hex(fileOf(state).checkpoint.root)).toBe(whole);
  await store.close();
});

test("receipts of an earlier release, which noted no hashes apart, are signed from themselves", async () => {
  const state = temporaryState();
  ledgerOf(state, 30);
  change(state, "DELETE FROM leaves");
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await signer.last();
  expect(hex(fileOf(state).checkpoint.root)).toBe(rootOf(state, 35));
  await store.close();
});

test("a store that shrinks under the signer is not signed any more", async () => {
  const state = temporaryState();
  ledgerOf(state, 5);
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await signer.last();
  change(state, "DELETE FROM pages WHERE first > 1");
  await expect(signer.look()).rejects.toMatchObject({ name: "ChainContradicted" });
  await store.close();
});

test("another checkpoint of the same size stops it: two daemons have signed one chain", async () => {
  const state = temporaryState();
  ledgerOf(state, 5);
  const { store, signer } = signerOf(state);
  await signer.last();
  ledgerOf(state, 4);
  const other = signerOf(state, { key: generateKeyPair() });
  await other.signer.last();
  change(state, "UPDATE leaves SET hashes = zeroblob(length(hashes)) WHERE first > 5");
  await expect(signer.last()).rejects.toThrow("another checkpoint of 9 receipts was stored for this chain");
  await expect(signer.look()).rejects.toMatchObject({ name: "ChainContradicted" });
  await other.store.close();
  await store.close();
});

test("a checkpoint whose signature was altered stops it", async () => {
  const state = temporaryState();
  ledgerOf(state, 12);
  const before = signerOf(state);
  await before.signer.last();
  const note = (await before.store.newest())?.note as string;
  await before.store.replaceNote(12, note, note.replace("\n12\n", "\n11\n"));
  await before.store.close();
  const { store, signer } = signerOf(state);
  await expect(signer.look()).rejects.toMatchObject({ name: "ChainContradicted" });
  await store.close();
});

test("a successor of the key goes on from what its predecessor signed", async () => {
  const state = temporaryState();
  ledgerOf(state, 12);
  const before = signerOf(state);
  await before.signer.last();
  await before.store.close();
  ledgerOf(state, 6);
  const key = generateKeyPair();
  const { store, signer } = signerOf(state, { key });
  await signer.last();
  const { note, checkpoint } = fileOf(state);
  expect(hex(checkpoint.root)).toBe(rootOf(state, checkpoint.size));
  expect(noteSigners(note, [logKey(store.chain, key.publicKey)]).signed).toHaveLength(1);
  await store.close();
});

test("a chain whose beginning was pruned goes on from its mark, and from no other", async () => {
  const state = temporaryState();
  ledgerOf(state, 30);
  const before = signerOf(state);
  await before.signer.last();
  const { tree, lastHash } = readTreeFile(state.treePath)!;
  await before.store.close();
  ledgerOf(state, 70);
  change(state, "INSERT INTO pruned VALUES(30, ?, ?, 5)", lastHash, frontierText(tree.frontier()));
  const whole = rootOf(state, 100);
  rmSync(state.treePath);
  const pages = openDatabase(state.ledgerPath, "write");
  pages.db.prepare("DELETE FROM pages WHERE last <= 30").run();
  pages.db.close();
  const { store, signer } = signerOf(state);
  await signer.last();
  expect(hex(fileOf(state).checkpoint.root)).toBe(whole);
  await store.close();
  rmSync(state.treePath);
  change(state, "UPDATE pruned SET frontier = ?", frontierText(tree.frontier().map(() => "0".repeat(64))));
  const spoiled = signerOf(state);
  await expect(spoiled.signer.look()).rejects.toThrow("the mark of pruned receipts 30");
  await spoiled.store.close();
});
