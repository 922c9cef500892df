import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readStatusFile } from "./commands/read-status-file.ts";
import type { Settings } from "./config/settings.ts";
import { removeStatusFile, writeStatusFile } from "./status-file.ts";
import { daemonVersion } from "./version.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "il-status-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const settings = (): Settings => ({ state, socket: "/run/g.sock" }) as Settings;

test("the daemon's version is the package's", () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(daemonVersion).toBe(version);
});

test("what is written is read back, for its owner alone, with nothing left beside it", () => {
  const before_ms = Date.now();
  writeStatusFile(settings(), { started: new Date().toISOString(), unsigned: null });
  const status = readStatusFile(state);
  expect(status).toMatchObject({ pid: process.pid, socket: "/run/g.sock", version: daemonVersion });
  expect(Date.parse(status?.started ?? "")).toBeGreaterThanOrEqual(before_ms - 1);
  expect(readdirSync(state)).toEqual(["daemon.json"]);
  expect(statSync(join(state, "daemon.json")).mode & 0o777).toBe(0o600);
  removeStatusFile(settings());
  expect(readStatusFile(state)).toBeNull();
  removeStatusFile(settings());
});

test.each(["", "{", "null", `{"pid":0,"socket":"s","version":"v","started":"t"}`, `{"pid":1}`, `{"pid":"1"}`])(
  "a file that is none is nobody's: %s",
  (text) => {
    writeFileSync(join(state, "daemon.json"), text);
    expect(readStatusFile(state)).toBeNull();
  },
);
