import { existsSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { runDaemon } from "./daemon.ts";
import type { Place } from "./place.ts";
import type { Ended } from "./processes.ts";

/** The daemon ends with this exit code and one line, serves nothing, and leaves no file half written. */
export const expectRefused = async (
  place: Place,
  exitCode: number,
  line: RegExp,
  args: readonly string[] = [],
  uid?: number,
): Promise<Ended> => {
  const ended = await runDaemon(place, args, uid);
  expect(ended.stderr).toMatch(line);
  expect(ended).toMatchObject({ code: exitCode, signal: null, stdout: "" });
  expect(ended.stderr).toMatch(/^interlock-sidecar: [^\n]+\n$/);
  expect(ended.stderr).not.toMatch(/\.[cm]?[jt]s:\d+/);
  expect(existsSync(place.socket) && "a socket was left").toBe(false);
  expect(readdirSync(place.home).filter((name) => /\.(new|tmp|restarting)$/.test(name))).toEqual([]);
  return ended;
};
