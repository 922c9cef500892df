import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { type SimulatedLine, type SimulateRequest, simulate } from "./simulate.ts";
import { shortDirectory } from "./test-answering-peer.ts";

let directory: string;
beforeEach(() => {
  directory = shortDirectory();
});

const write = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const rules = (name: string, body: string): string =>
  write(
    name,
    `import { allow, block, defineRules, rewrite } from "interlock/rules";
export default defineRules({ id: "s", version: 1, rules: [{
  id: "s.rule", actions: ["pay"], phase: "call", evaluate: (event) => { ${body} },
  examples: [{ event: { action: "pay", args: {} }, expect: "silent" }],
}] });`,
  );

const limit = (most: number): string => `return event.args.amount > ${most} ? block("too much") : undefined;`;
const pay = (amount: number): string => JSON.stringify({ action: "pay", args: { amount }, phase: "call" });

const run = async (request: Partial<SimulateRequest>) => {
  const told: SimulatedLine[] = [];
  const summary = await simulate(
    { events: "none", rules: { entry: "none" }, against: null, unknown: "allow", now_ms: 0, ...request },
    (line) => told.push(line),
  );
  return { ...summary, told: told.map(({ text }) => text), jsons: told.map(({ json }) => json) };
};

test("one decision a line, with the number of the line in the file; empty lines are none", async () => {
  const events = write("events", `${pay(5)}\n\n${pay(50)}\r\n`);
  const { exitCode, text, told, jsons, json } = await run({ events, rules: { entry: rules("a.ts", limit(10)) } });
  expect(told).toEqual([expect.stringMatching(/^1 ALLOW pay: /), "3 BLOCK pay: too much (s.rule)"]);
  expect(jsons).toMatchObject([
    { line: 1, verdict: "ALLOW" },
    { line: 3, verdict: "BLOCK" },
  ]);
  expect([exitCode, text, json]).toEqual([0, "2 events judged", { ok: true, events: 2, unreadable: 0, changed: 0 }]);
});

test("a line that is no event is told and costs the exit code, and the others are judged", async () => {
  const events = write("events", `{"action":"pay"}\n${pay(5)}\n{"action":"pay","args":{},"args":{},"phase":"call"}\n`);
  const { exitCode, text, told } = await run({ events, rules: { entry: rules("a.ts", limit(10)) } });
  expect(told.map((line) => line.slice(0, 7))).toEqual(["1 not a", "2 ALLOW", "3 not a"]);
  expect([exitCode, text]).toEqual([1, "1 event judged; not events: 2"]);
});

test("against other rules only what would change is told: verdicts, and what a rewrite makes", async () => {
  const events = write("events", [pay(5), pay(15), pay(50)].join("\n"));
  const changed = await run({
    events,
    rules: { entry: rules("a.ts", limit(10)) },
    against: { entry: rules("b.ts", limit(20)) },
  });
  expect(changed.told).toEqual(["2 pay: ALLOW becomes BLOCK pay: too much (s.rule)"]);
  expect([changed.exitCode, changed.text]).toEqual([1, "1 of 3 events would change"]);
  const rewritten = await run({
    events,
    rules: { entry: rules("c.ts", "return event.args.amount > 20 ? rewrite({ amount: 20 }) : undefined;") },
    against: { entry: rules("d.ts", "return event.args.amount > 20 ? rewrite({ amount: 19 }) : undefined;") },
  });
  expect(rewritten.told).toEqual([expect.stringMatching(/^3 pay: MODIFY becomes MODIFY/)]);
  const same = await run({
    events,
    rules: { entry: rules("e.ts", limit(1)) },
    against: { entry: rules("f.ts", limit(1)) },
  });
  expect([same.exitCode, same.told]).toEqual([0, []]);
});

test("a file that is not there, or is a directory, is refused before anything is judged", async () => {
  const entry = rules("a.ts", limit(10));
  const refused = (code: string) => ({ name: "Refusal", exitCode: 2, message: expect.stringContaining(`(${code})`) });
  await expect(run({ events: join(directory, "none"), rules: { entry } })).rejects.toMatchObject(refused("ENOENT"));
  await expect(run({ events: directory, rules: { entry } })).rejects.toMatchObject(refused("EISDIR"));
});
