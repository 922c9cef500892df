import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clearRestartMark, restartMarkOf, setRestartMark } from "./restart-mark.ts";

let directory = "";
let socket = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "il-mark-"));
  socket = join(directory, "g.sock");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("the mark of a restart", () => {
  it("stands until it is taken away, and may be set twice", () => {
    expect([setRestartMark(socket), setRestartMark(socket)]).toEqual([true, true]);
    expect(lstatSync(restartMarkOf(socket)).mode & 0o777).toBe(0o600);
    clearRestartMark(socket);
    expect(existsSync(restartMarkOf(socket))).toBe(false);
    clearRestartMark(socket);
  });

  it("is not written through a link in its place", () => {
    const other = join(directory, "other");
    writeFileSync(other, "kept");
    symlinkSync(other, restartMarkOf(socket));
    expect(setRestartMark(socket)).toBe(true);
    expect(lstatSync(restartMarkOf(socket)).isFile()).toBe(true);
    expect(readFileSync(other, "utf8")).toBe("kept");
  });

  it("takes the place of a folder, which does not end the daemon", () => {
    mkdirSync(join(restartMarkOf(socket), "inner"), { recursive: true });
    expect(setRestartMark(socket)).toBe(true);
    expect(lstatSync(restartMarkOf(socket)).isFile()).toBe(true);
    clearRestartMark(socket);
    expect(existsSync(restartMarkOf(socket))).toBe(false);
  });

  it("cannot be set where its folder is gone, and says so", () => {
    rmSync(directory, { recursive: true });
    expect(setRestartMark(socket)).toBe(false);
    clearRestartMark(socket);
  });
});
