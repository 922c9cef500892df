import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningDaemon } from "../../conformance/running-daemon.ts";
import { startAllowingDaemon } from "./daemon.ts";
import { evaluate } from "./evaluate.ts";
import { suites } from "./suites.ts";

let daemon: RunningDaemon;
beforeAll(async () => {
  daemon = await startAllowingDaemon();
});
afterAll(() => daemon?.stop());

// The quickest, and from the registry that `npm ci` needs anyway. All of them: `npm run eval:transparent`.
test("@fastify/send's own tests pass with the guard as they do without it", { timeout: 240_000 }, async () => {
  const suite = suites.find(({ name }) => name === "@fastify/send");
  if (suite === undefined) throw new Error("the suite is gone");
  const row = await evaluate(suite, daemon, () => {});
  expect(row).toMatchObject({ tests: 173, passed_plain: 173, passed_guarded: 173, only_guarded: [] });
  expect(row.questions).toBeGreaterThan(row.tests);
});
