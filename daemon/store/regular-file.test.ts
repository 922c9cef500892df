import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readRegularFile } from "./regular-file.ts";

const directory = mkdtempSync(join(tmpdir(), "il-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const put = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

test("all of a file of as many bytes as there may be, also by a link", async () => {
  const path = put("four", "1234");
  expect((await readRegularFile(path, 4)).toString()).toBe("1234");
  symlinkSync(path, join(directory, "link"));
  expect((await readRegularFile(join(directory, "link"), 4)).toString()).toBe("1234");
  expect((await readRegularFile(put("empty", ""), 4)).length).toBe(0);
});

test("a file of a byte more is not read", async () => {
  await expect(readRegularFile(put("five", "12345"), 4)).rejects.toMatchObject({
    why: "too_large",
    message: `${join(directory, "five")} is larger than 4 bytes`,
  });
});

test("a file that is not there is missing", async () => {
  await expect(readRegularFile(join(directory, "none"), 4)).rejects.toMatchObject({
    why: "missing",
    message: `${join(directory, "none")} cannot be read (ENOENT)`,
  });
});

test("a pipe that nobody writes into is not waited for", async () => {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  await expect(readRegularFile(path, 4)).rejects.toMatchObject({ message: `${path} is not a regular file` });
});

test.each(["/dev/zero", directory])("%s is no regular file, and nothing of it is read", async (path) => {
  await expect(readRegularFile(path, 4)).rejects.toMatchObject({ message: `${path} is not a regular file` });
});

test("a file that has more bytes than its size says is not read in half", async () => {
  await expect(readRegularFile("/proc/self/status", 4)).rejects.toMatchObject({
    message: "/proc/self/status was changed while it was read",
  });
});
