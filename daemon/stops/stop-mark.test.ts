import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { StopMark, stopMarkOf } from "./stop-mark.ts";

const directory = mkdtempSync(join(tmpdir(), "il-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const path = stopMarkOf(join(directory, "g.sock"));
beforeEach(() => rmSync(path, { recursive: true, force: true }));

test("stands while everything is stopped, is put back where somebody takes it away, and is taken away once", () => {
  const mark = new StopMark(join(directory, "g.sock"));
  mark.shows(true);
  expect(existsSync(path)).toBe(true);
  rmSync(path);
  mark.shows(true);
  expect(existsSync(path)).toBe(true);
  mark.shows(false);
  expect(existsSync(path)).toBe(false);
  // What others put there later is another daemon's, or nobody's to explain: it makes clients wait.
  writeFileSync(path, "");
  mark.shows(false);
  expect(existsSync(path)).toBe(true);
});

test("is written through no link, and takes the place of a folder", () => {
  const elsewhere = join(directory, "elsewhere");
  writeFileSync(elsewhere, "kept");
  symlinkSync(elsewhere, path);
  new StopMark(join(directory, "g.sock")).shows(true);
  expect(readFileSync(elsewhere, "utf8")).toBe("kept");
  rmSync(path);
  mkdirSync(join(path, "sub"), { recursive: true });
  new StopMark(join(directory, "g.sock")).shows(false);
  expect(existsSync(path)).toBe(false);
});
