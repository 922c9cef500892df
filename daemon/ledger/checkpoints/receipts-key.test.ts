import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../test-state.ts";
import { receiptsKey } from "./receipts-key.ts";

test("a daemon that was killed between the two files of its key is gone on with: the public one is written by the next", async () => {
  const path = join(temporaryDirectory(), "receipts.key");
  const { keyId } = await receiptsKey(path, false);
  const text = readFileSync(`${path}.pub`, "utf8");
  rmSync(`${path}.pub`);
  expect((await receiptsKey(path, false)).keyId).toBe(keyId);
  expect(readFileSync(`${path}.pub`, "utf8")).toBe(text);
});

test("what the public file says is never written over, and it is not made anew once something is signed", async () => {
  const path = join(temporaryDirectory(), "receipts.key");
  await receiptsKey(path, false);
  writeFileSync(`${path}.pub`, "# keys before this one\n");
  await receiptsKey(path, false);
  expect(readFileSync(`${path}.pub`, "utf8")).toBe("# keys before this one\n");
  rmSync(`${path}.pub`);
  await receiptsKey(path, true);
  expect(() => readFileSync(`${path}.pub`)).toThrow("ENOENT");
});
