import { expect, test } from "vitest";
import { maxServersOfSession } from "./limits.ts";
import type { SeenSurface } from "./seen-surface.ts";
import { SessionSurfaces } from "./session-surfaces.ts";

const seen = (count: number, listed: SeenSurface["listed"] = ["tool"]): SeenSurface => ({
  listed,
  hashes: new Map(Array.from({ length: count }, (_, at) => [`tool:${at}`, "h"])),
  drifted: new Map(),
  self: null,
  templates: [],
});

test("each session has its own, and each kind the newest report that listed it", () => {
  const sessions = new SessionSurfaces();
  const [one, other] = [{}, {}];
  const tools = seen(2);
  sessions.report(one, "k", tools, 1_000, 5_000);
  sessions.report(one, "k", seen(0, ["instructions"]), 3_000, 5_000);
  expect(sessions.find(one, "k")?.kinds.get("tool")).toEqual({ seen: tools, at_ms: 1_000, until_ms: 6_000 });
  expect(sessions.find(one, "k")?.kinds.get("instructions")?.until_ms).toBe(8_000);
  expect([sessions.find(other, "k"), sessions.find(one, "l")]).toEqual([null, null]);
  sessions.forget(one, "k");
  expect(sessions.find(one, "k")).toBeNull();
});

test("a report is good for a second at least", () => {
  const sessions = new SessionSurfaces();
  const session = {};
  sessions.report(session, "k", seen(1), 0, 0);
  expect(sessions.find(session, "k")?.kinds.get("tool")?.until_ms).toBe(1_000);
});

test("who reported longest ago goes first, of one session and of all", () => {
  const sessions = new SessionSurfaces();
  const session = {};
  for (let at = 0; at <= maxServersOfSession; at++) sessions.report(session, `k${at}`, seen(1), 0, 1);
  expect([sessions.find(session, "k0"), sessions.find(session, "k1") !== null]).toEqual([null, true]);
  const [first, last] = [{}, {}];
  const large = seen(10_000);
  sessions.report(first, "k", large, 0, 1);
  for (let at = 0; at < 99; at++) sessions.report({}, "k", large, 0, 1);
  sessions.report(last, "k", large, 0, 1);
  expect([sessions.find(first, "k"), sessions.find(last, "k") !== null]).toEqual([null, true]);
});
