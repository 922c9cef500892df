import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearDeadSocket, maxSocketPathBytes, secureSocketDirectory } from "./path.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir().length <= 40 ? tmpdir() : "/tmp", "il-path-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const refusal = (exitCode: number, message: RegExp) =>
  expect.objectContaining({ name: "Refusal", exitCode, message: expect.stringMatching(message) });

test("a missing directory is made for us alone, its parents with it", () => {
  secureSocketDirectory(join(home, "a", "b", "g.sock"));
  expect(statSync(join(home, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(join(home, "a", "b")).mode & 0o777).toBe(0o700);
});

test("a relative path and one that is too long are refused, and nothing is made", () => {
  expect(() => secureSocketDirectory("g.sock")).toThrow(refusal(4, /not absolute; give the whole path/));
  const long = join(home, "d", "x".repeat(maxSocketPathBytes));
  expect(() => secureSocketDirectory(long)).toThrow(refusal(4, /longer than 103 bytes/));
  expect(existsSync(join(home, "d"))).toBe(false);
  const exact = join(home, "e", "x".repeat(maxSocketPathBytes - home.length - 3));
  expect(Buffer.byteLength(exact)).toBe(maxSocketPathBytes);
  secureSocketDirectory(exact);
});

test.each([0o755, 0o770, 0o707, 0o710, 0o1700, 0o1777])("a directory of mode %o is refused as it stands", (mode) => {
  const directory = join(home, "open");
  mkdirSync(directory);
  chmodSync(directory, mode);
  expect(() => secureSocketDirectory(join(directory, "g.sock"))).toThrow(refusal(4, /sticky|others can enter it/));
  expect(statSync(directory).mode & 0o7777).toBe(mode);
});

test("a file where the directory should be is refused and left alone", () => {
  writeFileSync(join(home, "file"), "mine");
  expect(() => secureSocketDirectory(join(home, "file", "g.sock"))).toThrow(refusal(4, /cannot be made/));
  expect(readFileSync(join(home, "file"), "utf8")).toBe("mine");
});

test("a free path stays free", async () => {
  await clearDeadSocket(join(home, "g.sock"));
  expect(existsSync(join(home, "g.sock"))).toBe(false);
});

test("what is not a socket is refused and left alone: a file, a directory, a link, even to a socket", async () => {
  const path = join(home, "g.sock");
  const server = createServer().listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  writeFileSync(join(home, "file"), "mine");
  symlinkSync(path, join(home, "link"));
  for (const name of ["file", "link", "."]) {
    await expect(clearDeadSocket(join(home, name))).rejects.toEqual(refusal(4, /something that is not a socket/));
  }
  expect(readFileSync(join(home, "file"), "utf8")).toBe("mine");
  expect(lstatSync(join(home, "link")).isSymbolicLink()).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

test("a live socket is another daemon's, and stays", async () => {
  const path = join(home, "g.sock");
  const server = createServer((peer) => peer.destroy()).listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  await expect(clearDeadSocket(path)).rejects.toEqual(refusal(3, /another daemon serves/));
  expect(lstatSync(path).isSocket()).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});
