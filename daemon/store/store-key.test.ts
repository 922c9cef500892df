import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../ledger/test-state.ts";
import { adoptStoreKey, pendingStoreKey, readStoreKey, storeKeyBytes, writePendingStoreKey } from "./store-key.ts";

const place = (): string => join(temporaryDirectory(), "store.key");

test("is written beside its place first, readable by us alone, and then adopted", () => {
  const path = place();
  const key = randomBytes(storeKeyBytes);
  writePendingStoreKey(path, key);
  expect(readStoreKey(path)).toBeNull();
  expect(readStoreKey(pendingStoreKey(path))).toEqual(new Uint8Array(key));
  adoptStoreKey(path);
  expect(readStoreKey(path)).toEqual(new Uint8Array(key));
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});

test("a pending key is never written over", () => {
  const path = place();
  writePendingStoreKey(path, randomBytes(storeKeyBytes));
  expect(() => writePendingStoreKey(path, randomBytes(storeKeyBytes))).toThrow("EEXIST");
});

test.each([0o640, 0o604, 0o644, 0o660])("a key with mode %o is refused", (mode) => {
  const path = place();
  writeFileSync(path, randomBytes(storeKeyBytes));
  chmodSync(path, mode);
  expect(() => readStoreKey(path)).toThrow(expect.objectContaining({ code: "store_key_unsafe" }));
});

test.each([0, 31, 33, 64])("a key of %i bytes is refused", (bytes) => {
  const path = place();
  writeFileSync(path, randomBytes(bytes), { mode: 0o600 });
  expect(() => readStoreKey(path)).toThrow(expect.objectContaining({ code: "store_key_invalid" }));
});

test("a key behind a symbolic link is refused, and so is a directory", () => {
  const path = place();
  writeFileSync(`${path}.real`, randomBytes(storeKeyBytes), { mode: 0o600 });
  symlinkSync(`${path}.real`, path);
  expect(() => readStoreKey(path)).toThrow(expect.objectContaining({ code: "store_key_unsafe" }));
  mkdirSync(`${path}.directory`, { mode: 0o700 });
  expect(() => readStoreKey(`${path}.directory`)).toThrow(expect.objectContaining({ code: "store_key_unsafe" }));
});
