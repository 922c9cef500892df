import { lstatSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../ledger/test-state.ts";
import { acquireLock } from "./lock.ts";
import { moduleAt, nextLine, runModule } from "./test-processes.ts";

const holder = moduleAt(new URL("./test-hold-lock.ts", import.meta.url));
const acquiredAndReleased = (path: string): string => {
  acquireLock(path)?.release();
  return path;
};
const place = (): string => join(temporaryDirectory(), "daemon.lock");

test("a second process gets nothing until the first is killed", async () => {
  const path = place();
  const first = runModule(holder, [path]);
  expect(await nextLine(first)).toBe("held");
  expect(acquireLock(path)).toBeNull();
  const second = runModule(holder, [path]);
  expect(await nextLine(second)).toBe("taken");
  await first.kill();
  const lock = acquireLock(path);
  expect(lock).not.toBeNull();
  lock?.release();
});

test("a lock of this process keeps out another process, and this one", async () => {
  const path = place();
  const lock = acquireLock(path);
  expect(lock).not.toBeNull();
  expect(acquireLock(path)).toBeNull();
  expect(await nextLine(runModule(holder, [path]))).toBe("taken");
  lock?.release();
  expect(await nextLine(runModule(holder, [path]))).toBe("held");
});

test("the file is ours alone and stays", () => {
  const path = place();
  acquireLock(path)?.release();
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  const again = acquireLock(path);
  expect(again).not.toBeNull();
  again?.release();
});

test.each<[string, (path: string) => void]>([
  ["a file that others can open", (path) => writeFileSync(path, "", { mode: 0o644 })],
  ["a symbolic link", (path) => symlinkSync(acquiredAndReleased(`${path}.real`), path)],
  ["a file with other contents", (path) => writeFileSync(path, "not a lock ".repeat(500), { mode: 0o600 })],
])("%s is refused as a lock", (_name, make) => {
  const path = place();
  make(path);
  expect(() => acquireLock(path)).toThrow(expect.objectContaining({ code: "lock_unavailable" }));
});

test("a lock in a directory that is missing is refused", () => {
  expect(() => acquireLock(join(temporaryDirectory(), "no", "lock"))).toThrow(
    expect.objectContaining({ code: "lock_unavailable" }),
  );
});
