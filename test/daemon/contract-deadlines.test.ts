import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Asked, ask, askUntil } from "../kit/asking.ts";
import { type Daemon, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";

/** Contracts whose schema or whose facts do not come back. A schema of the kit's cannot loop; a module's own function can. */
const source = `
import { allow, defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";

const args = z.strictObject({ n: z.number(), armed: z.boolean().default(false) });
const plain = defineTool({ name: "parse", effect: "write", args });
const loops = { ...plain, read: (given) => { if (given.armed) for (;;); return plain.read(given); } };
const factual = (name, fetch) => defineTool({
  name, effect: "write", args, resolvers: { facts: fetch }, bounds: { n: { max: { fact: "facts", key: "n", path: "most" } } },
});
const hang = () => { for (;;); };

export default defineRules({
  id: "hanging",
  version: 1,
  deadline_ms: 500,
  rules: [{
    id: "other", actions: ["other"], phase: "call", evaluate: () => allow(),
    examples: [{ event: { action: "other", args: {} }, expect: "allow" }],
  }],
  tools: [
    loops,
    factual("fact-loops", hang),
    factual("fact-loops-later", async () => { await null; hang(); }),
    factual("fact-never", () => new Promise(() => undefined)),
    factual("fact-answers", async () => ({ most: 100 })),
  ],
});
`;

const ways = [
  { tool: "parse", args: { armed: true }, code: "rule_overran" },
  { tool: "fact-loops", args: {}, code: "rule_overran" },
  { tool: "fact-loops-later", args: {}, code: "rule_overran" },
  { tool: "fact-never", args: {}, code: "evidence_threw" },
] as const;

describe("a contract whose schema or whose facts hang", () => {
  let place: Place;
  let daemon: Daemon;
  let stopAsking: () => Promise<readonly Asked[]>;
  const asked = new Map<string, Asked>();

  beforeAll(async () => {
    place = await makePlace(source, "unknown: block\n");
    daemon = await startDaemon(place);
    stopAsking = askUntil(place, "other");
    for (const { tool, args } of ways) asked.set(tool, await ask(place, tool, { n: 1, ...args }, { timeout: 25 }));
  }, 120_000);

  afterAll(() => daemon.stop());

  test.each(ways)("$tool: its caller is blocked, and told the tool", ({ tool, code }) => {
    expect(asked.get(tool)).toMatchObject({ verdict: "BLOCK", code });
    expect(asked.get(tool)?.reason).toContain(tool);
  });

  test("nobody else is blocked, the daemon lives, and contracts that answer go on", async () => {
    const others = await stopAsking();
    expect(others.length).toBeGreaterThan(50);
    expect(others.filter(({ verdict }) => verdict !== "ALLOW")).toEqual([]);
    expect(daemon.isAlive()).toBe(true);
    expect(await ask(place, "fact-answers", { n: 1 })).toMatchObject({ code: "rewritten" });
    expect(await ask(place, "fact-answers", { n: 101 })).toMatchObject({ verdict: "BLOCK", code: "fact_failed" });
  });

  test("what overran three times in a minute is suspended: each call of the tool is blocked, others are not", async () => {
    for (const n of [2, 3]) {
      expect(await ask(place, "parse", { n, armed: true }, { timeout: 25 })).toMatchObject({ code: "rule_overran" });
    }
    expect(await ask(place, "parse", { n: 4 })).toMatchObject({ verdict: "BLOCK", code: "rule_suspended" });
    expect(await ask(place, "fact-answers", { n: 5 })).toMatchObject({ code: "rewritten" });
    const own = (await receiptsOf(place)).filter(({ action }) => action === "parse");
    expect(own.map(({ verdict, code }) => `${verdict} ${code}`)).toEqual([
      ...Array.from({ length: 3 }, () => "BLOCK rule_overran"),
      "BLOCK rule_suspended",
    ]);
  }, 60_000);
});
