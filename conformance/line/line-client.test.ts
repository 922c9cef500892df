import { join } from "node:path";
import { expect, test } from "vitest";
import { conformanceClient } from "../client-command.ts";
import { corpus } from "../corpus/corpus.ts";
import { fallbackCorpus } from "../fallback/corpus.ts";
import { misbehaviours } from "../misbehaving-daemon.ts";
import { conformanceRun } from "../run-command.ts";
import { packageRoot } from "../running-daemon.ts";
import { LineClient, LineClientFailed } from "./line-client.ts";

const adapter = `exec ${process.execPath} ${join(packageRoot(), "dist", "bin", "interlock.js")} conformance adapter`;
const fallbackEntries =
  fallbackCorpus.documents.length + fallbackCorpus.payloads.length + fallbackCorpus.decisions.length;
const every = corpus.cases.length + corpus.negatives.length + corpus.entries.length + fallbackEntries + 1;

test("the Node client passes the corpus through the line protocol", async () => {
  const { exitCode, lines } = await conformanceRun({ client: adapter });
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^${every} passed, 0 failed in [0-9.]+ s$`))]);
  expect(exitCode).toBe(0);
}, 120_000);

test("the Node client passes the misbehaving daemon through the line protocol", async () => {
  const { exitCode, lines } = await conformanceClient({ client: adapter });
  expect(lines).toEqual([`${misbehaviours.length} passed, 0 failed`]);
  expect(exitCode).toBe(0);
}, 120_000);

test("a client that does not offer degraded is asked the corpus alone, and the summary says so", async () => {
  const { exitCode, lines } = await conformanceRun({ client: adapter, fallback: "left_out" });
  const asked = every - fallbackEntries;
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^${asked} passed, .* s; fallback.json was left out$`))]);
  expect(exitCode).toBe(0);
}, 120_000);

/** A client in a line of shell: answers each task with the same words. */
const answering = (answer: string): string =>
  `while read -r line; do id=\${line#*'"id":"'}; printf '{"id":"%s",${answer}}\\n' "\${id%%'"'*}"; done`;

test("a client that blocks everything fails the corpus and the controls", async () => {
  const client = answering('"blocked":"no"');
  const run = await conformanceRun({ client });
  expect(run.exitCode).toBe(1);
  expect(run.lines.join("\n")).toContain("FAIL case allow-with-no-opinion: blocked: no");
  const controls = misbehaviours.filter((one) => one.expect === "allow").map(({ name }) => name);
  const judged = await conformanceClient({ client });
  expect(judged.lines.slice(0, -1)).toEqual(
    controls.map((name) => `FAIL ${name}: expected allow, got block: Blocked: no`),
  );
}, 120_000);

test("a client that does not know a task fails it", async () => {
  const { exitCode, lines } = await conformanceClient({ client: answering('"unsupported":true') });
  expect(exitCode).toBe(1);
  expect(lines).toHaveLength(misbehaviours.length + 1);
}, 120_000);

test.each([
  ["false", "the client's command failed: it ended with 1"],
  ["echo crash >&2; exit 3", "the client's command failed: it ended with 3; stderr: crash"],
  ["while read -r line; do echo words; done", 'the client\'s command failed: it wrote a line that is no JSON: "words"'],
  [
    `while read -r line; do echo '{"id":"77"}'; done`,
    "the client's command failed: it answered a task that was not given",
  ],
])(
  "the command `%s` is refused in one line with exit code 2",
  async (client, message) => {
    const { exitCode, lines } = await conformanceClient({ client });
    expect(lines).toEqual([message]);
    expect(exitCode).toBe(2);
  },
  60_000,
);

test("a task that is given after the command ended fails at once", async () => {
  const client = new LineClient("exit 0");
  await expect(client.do({ op: "canonical", hex: "31" })).rejects.toThrow(LineClientFailed);
  await expect(client.do({ op: "canonical", hex: "31" })).rejects.toThrow("it ended with 0");
  await client.close();
});
