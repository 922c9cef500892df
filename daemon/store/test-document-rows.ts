import { expect, test } from "vitest";
import { step } from "./steps.ts";
import type { Store } from "./store.ts";
import type { StoreTx } from "./transaction-rows.ts";

/** What every store does with documents. */
export const describeDocumentRows = (open: () => Store | Promise<Store>): void => {
  const one = async <T>(store: Store, question: (tx: StoreTx) => T | Promise<T>): Promise<T> =>
    await store.transact(function* (tx) {
      return yield* step(question(tx));
    });

  test("a document is put where its version is the one that was seen, and nowhere else", async () => {
    const store = await open();
    const put = (version: number, body: string) => one(store, (tx) => tx.putDocument("server", "k", version, body));
    expect(await store.reads.findDocument("server", "k")).toBeNull();
    expect([await put(1, "early"), await put(0, "a"), await put(0, "again")]).toEqual([false, true, false]);
    expect([await put(1, "b\u0000\u001a"), await put(1, "lost")]).toEqual([true, false]);
    expect(await store.reads.findDocument("server", "k")).toEqual({ key: "k", version: 2, body: "b\u0000\u001a" });
    expect(await store.reads.findDocument("baseline", "k")).toBeNull();
    expect(await one(store, (tx) => tx.findDocument("server", "k"))).toMatchObject({ version: 2 });
    await one(store, (tx) => tx.deleteDocument("server", "k"));
    expect([await store.reads.findDocument("server", "k"), await put(2, "c"), await put(0, "d")]).toEqual([
      null,
      false,
      true,
    ]);
    await store.close();
  });

  test("what is named by its hash is kept once and stays as it is", async () => {
    const store = await open();
    await one(store, (tx) => tx.keepDocument("definition", "h", "{}"));
    await one(store, (tx) => tx.keepDocument("definition", "h", "[]"));
    expect(await store.reads.findDocument("definition", "h")).toEqual({ key: "h", version: 1, body: "{}" });
    await store.close();
  });

  test("documents are listed by prefix, in the order of their bytes, a page at a time", async () => {
    const store = await open();
    for (const key of ["b", "a:2", "a:10", "a", "a%", "a:1", "A:1"])
      await one(store, (tx) => tx.putDocument("baseline", key, 0, key));
    const keys = async (prefix: string, after: string, limit: number) =>
      (await store.reads.listDocuments("baseline", { prefix, after, limit })).map(({ key }) => key);
    expect(await keys("a:", "", 9)).toEqual(["a:1", "a:10", "a:2"]);
    expect(await keys("a:", "a:1", 1)).toEqual(["a:10"]);
    expect(await keys("a%", "", 9)).toEqual(["a%"]);
    expect(await keys("", "", 9)).toEqual(["A:1", "a", "a%", "a:1", "a:10", "a:2", "b"]);
    expect((await store.reads.documentVersions("baseline")).map(({ version }) => version)).toEqual(Array(7).fill(1));
    expect(await store.reads.documentVersions("server")).toEqual([]);
    await store.close();
  });

  test("what a transaction put is gone with it", async () => {
    const store = await open();
    const failing = async () =>
      await store.transact(function* (tx) {
        yield* step(tx.putDocument("server", "k", 0, "a"));
        throw new RangeError("no");
      });
    await expect(failing()).rejects.toThrow("no");
    expect(await store.reads.findDocument("server", "k")).toBeNull();
    await store.close();
  });
};
