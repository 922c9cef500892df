import { expect, test } from "vitest";
import { conformanceClient } from "../../conformance/client-command.ts";
import { corpus } from "../../conformance/corpus/corpus.ts";
import { fallbackCorpus } from "../../conformance/fallback/corpus.ts";
import { misbehaviours } from "../../conformance/misbehaving-daemon.ts";
import { conformanceRun } from "../../conformance/run-command.ts";
import { pythonClientCommand, pythonEnv } from "./python.ts";

process.env.PYTHONPATH = pythonEnv.PYTHONPATH;
process.env.PYTHONDONTWRITEBYTECODE = "1";

const fallbackEntries =
  fallbackCorpus.documents.length + fallbackCorpus.payloads.length + fallbackCorpus.decisions.length;
const every = corpus.cases.length + corpus.negatives.length + corpus.entries.length + fallbackEntries + 1;

test("the Python client reads the whole corpus as it is meant", async () => {
  const { exitCode, lines } = await conformanceRun({ client: pythonClientCommand() });
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^${every} passed, 0 failed in [0-9.]+ s$`))]);
  expect(exitCode).toBe(0);
}, 180_000);

test("the Python client blocks every misbehaviour and allows every control", async () => {
  const { exitCode, lines } = await conformanceClient({ client: pythonClientCommand() });
  expect(lines).toEqual([`${misbehaviours.length} passed, 0 failed`]);
  expect(exitCode).toBe(0);
}, 180_000);
