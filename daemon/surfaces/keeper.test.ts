import { describe, expect, test } from "vitest";
import { quarantineGate } from "../gates/quarantine.ts";
import { openAt, temporaryState } from "../ledger/test-state.ts";
import { runSteps } from "../store/steps.ts";
import { heldItems } from "./held-items.ts";
import type { TakenReport } from "./keeper.ts";
import { SessionSurfaces } from "./session-surfaces.ts";
import { findDefinition } from "./state/definitions.ts";
import { approveItem, promote, quarantineItem, removeServer, trustServer } from "./state/operator-changes.ts";
import { hashesOf, recordKey, reviewHash } from "./state/record.ts";
import type { Surface } from "./surface.ts";
import { hostile, keep, surface, taken, tool } from "./test-keeper.ts";

const server = { server: "orders", credential: null };
const key = recordKey(server);
const ann = { by: "operator:ann", now_ms: 1 };
const toolRef = (name: string) => ({ kind: "tool" as const, name });
const hashOf = (of: Surface, name: string): string => hashesOf(of.items).get(`tool:${name}`) as string;

/** What the gate says to a call of a session that saw this. */
const code = ({ known, seen }: TakenReport, name: string, now: Pick<TakenReport, "known"> = { known }): string => {
  const sessions = new SessionSurfaces();
  const session = {};
  sessions.report(session, key, seen, 0, 10_000);
  const put = { action: name, args: {}, phase: "call" as const };
  const { denial } = quarantineGate(
    { named: server, reported: () => sessions.find(session, key), known: () => now.known },
    put,
    1,
  );
  return denial?.code ?? "runs";
};

const calm = [tool("status"), tool("total")];
const changed = (name: string, more: object) =>
  [tool("status"), tool("total")].map((one) => (one.name === name ? { ...one, ...more } : one));

describe("a server that is seen first", () => {
  test("is approved as it is, and noted", async () => {
    const { keeper, noted } = await keep();
    const first = await taken(keeper, surface(calm));
    expect([code(first, "status"), code(first, "total"), code(first, "other")]).toEqual([
      "runs",
      "runs",
      "tool_unlisted",
    ]);
    expect(first.known.record).toMatchObject({
      trust: "first_use",
      items: [],
      baseline: { version: 1, approved_by: "first_use" },
    });
    const [[event, detail] = []] = await noted();
    expect([event, detail]).toEqual([
      "surface_approved",
      expect.stringMatching(/^orders: baseline 1 of 2 items, sha256:[0-9a-f]{64}, by first_use$/),
    ]);
  });

  test("but what is hostile by itself is quarantined, and the rest is not", async () => {
    const { keeper, noted } = await keep();
    const first = await taken(keeper, surface([tool("status"), tool("total", { description: hostile })]));
    expect([code(first, "status"), code(first, "total")]).toEqual(["runs", "tool_quarantined"]);
    expect(
      heldItems(surface([tool("status"), tool("total", { description: hostile })]), first.known, first.seen),
    ).toMatchObject([{ kind: "tool", name: "total", action: "quarantine" }]);
    expect((await noted()).map(([event]) => event)).toEqual(["surface_approved", "surface_quarantined"]);
    expect(JSON.stringify(await noted())).not.toContain("Ignore all");
  });

  test("waits for an approval where the setting says so", async () => {
    const { keeper } = await keep("approval");
    const observed = surface(calm);
    const first = await taken(keeper, observed);
    expect([code(first, "status"), code(first, "total")]).toEqual(["tool_held", "tool_held"]);
    await keeper.change(server, (record) => approveItem(record, toolRef("status"), hashOf(observed, "status"), ann));
    const again = await taken(keeper, observed);
    expect([code(again, "status"), code(again, "total")]).toEqual(["runs", "tool_held"]);
    const { record } = again.known;
    await keeper.change(server, (now) =>
      promote(now, { current: reviewHash(record.baseline as never), candidate: reviewHash(record.observed) }, ann),
    );
    expect(code(await taken(keeper, observed), "total")).toBe("runs");
  });
});

describe("what was approved", () => {
  test("T1: a critical change and then a trivial one: still held, until the one that is there is approved", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    const poisoned = surface(changed("total", { description: hostile }));
    expect(code(await taken(keeper, poisoned), "total")).toBe("tool_quarantined");
    const trivial = surface(changed("total", { description: `${String(calm[1]?.description)} Fast.` }));
    const then = await taken(keeper, trivial);
    expect([code(then, "status"), code(then, "total")]).toEqual(["runs", "tool_quarantined"]);
    // Also where it is as it was approved.
    expect(code(await taken(keeper, surface(calm)), "total")).toBe("tool_quarantined");
    await taken(keeper, trivial);
    const stale = await keeper.change(server, (record) =>
      approveItem(record, toolRef("total"), hashOf(poisoned, "total"), ann),
    );
    expect(stale).toEqual({ kind: "stale", is: hashOf(trivial, "total") });
    expect(code(await taken(keeper, trivial), "total")).toBe("tool_quarantined");
    await keeper.change(server, (record) => approveItem(record, toolRef("total"), hashOf(trivial, "total"), ann));
    expect(code(await taken(keeper, trivial), "total")).toBe("runs");
  });

  test("T2: the same drift twice: what was approved is as it was, word by word", async () => {
    const { keeper, ledger } = await keep();
    const first = await taken(keeper, surface(calm));
    const poisoned = surface(changed("total", { description: hostile }));
    await taken(keeper, poisoned);
    const { known } = await taken(keeper, surface(changed("total", { description: hostile, title: "Total" })));
    await taken(keeper, poisoned);
    expect(known.record.baseline).toEqual(first.known.record.baseline);
    const approved = hashOf(surface(calm), "total");
    expect(await runSteps(findDefinition(ledger.reads, key, approved))).toEqual(tool("total"));
    // What it became first is kept for whoever reviews it, and what it was in between is not.
    const [state] = known.record.items;
    expect(await runSteps(findDefinition(ledger.reads, key, state?.held_hash as string))).toMatchObject({
      description: hostile,
    });
  });

  test("T3: a tool that turns hostile is held, and the chain says so", async () => {
    const { keeper, noted } = await keep();
    await taken(keeper, surface(calm));
    await taken(keeper, surface(changed("total", { description: hostile })));
    const [event, detail] = (await noted()).at(-1) ?? [];
    expect(event).toBe("surface_quarantined");
    expect(detail).toContain("orders: tool total quarantine (");
  });

  test("T4: a new tool of a known server is held until it is approved, also where it was gone meanwhile", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    const more = surface([...calm, tool("refund")]);
    expect(code(await taken(keeper, more), "refund")).toBe("tool_held");
    await taken(keeper, surface(calm));
    const again = await taken(keeper, more);
    expect([code(again, "refund"), code(again, "status")]).toEqual(["tool_held", "runs"]);
    await keeper.change(server, (record) => approveItem(record, toolRef("refund"), hashOf(more, "refund"), ann));
    expect(code(await taken(keeper, more), "refund")).toBe("runs");
  });

  test("a change that is benign runs, is noted once, and is not approved by that", async () => {
    const { keeper, noted } = await keep();
    const first = await taken(keeper, surface(calm));
    const prose = surface(changed("total", { description: "Reads the total of one order." }));
    const then = await taken(keeper, prose);
    expect(code(then, "total")).toBe("runs");
    expect(then.known.record.baseline).toEqual(first.known.record.baseline);
    expect(then.known.record.items).toMatchObject([{ name: "total", action: "monitor", held_hash: null }]);
    await taken(keeper, prose);
    expect((await noted()).map(([event]) => event)).toEqual(["surface_approved", "surface_drifted"]);
  });

  test("a tool that is gone and comes back as it was runs; changed, it does not", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    await taken(keeper, surface([tool("status")]));
    expect(code(await taken(keeper, surface(calm)), "total")).toBe("runs");
    await taken(keeper, surface([tool("status")]));
    expect(code(await taken(keeper, surface(changed("total", { description: hostile }))), "total")).toBe(
      "tool_quarantined",
    );
  });

  test("a server that offers nothing of a sudden clears nothing", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    const poisoned = surface(changed("total", { description: hostile }));
    await taken(keeper, poisoned);
    const emptied = await taken(keeper, surface([]));
    expect(emptied.known.record.baseline?.items).toHaveLength(2);
    const back = await taken(keeper, surface(calm));
    expect([code(back, "status"), code(back, "total")]).toEqual(["runs", "tool_quarantined"]);
  });

  test("what a client did not ask for is as it was", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    await taken(keeper, surface([...calm, tool("refund")]));
    const prompts = await taken(keeper, surface(null, { prompts: [{ name: "summary" }] }));
    expect(prompts.known.record.items).toMatchObject([{ kind: "tool", name: "refund" }]);
    // Nobody asked for prompts before: they are seen for the first time.
    expect(prompts.known.record.baseline).toMatchObject({ version: 2, listed: ["tool", "prompt"] });
    expect(prompts.seen.drifted.get("prompt:summary")).toBeUndefined();
  });

  test("a client may tell the instructions before it lists anything: its tools are seen first all the same", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(null, { instructions: "Orders of the shop." }));
    expect(code(await taken(keeper, surface(calm, { instructions: "Orders of the shop." })), "status")).toBe("runs");
    const added = await taken(keeper, surface([...calm, tool("refund")]));
    expect([code(added, "refund"), code(added, "status")]).toEqual(["tool_held", "runs"]);
    const late = await keep();
    await taken(late.keeper, surface(calm));
    const told = surface(calm, { instructions: "Orders of the shop." });
    const then = await taken(late.keeper, told);
    expect(heldItems(told, then.known, then.seen)).toMatchObject([{ kind: "instructions", name: "", action: "deny" }]);
  });

  test("__proto__ is a name like any other", async () => {
    const { keeper } = await keep();
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    const named = [tool("__proto__", { inputSchema: schema }), tool("constructor")];
    const first = await taken(keeper, surface(named));
    expect([code(first, "__proto__"), code(first, "constructor"), code(first, "toString")]).toEqual([
      "runs",
      "runs",
      "tool_unlisted",
    ]);
    const other = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","description":""}}}');
    expect(hashOf(surface([tool("__proto__", { inputSchema: other })]), "__proto__")).not.toBe(
      hashOf(surface(named), "__proto__"),
    );
  });
});

describe("who runs", () => {
  const at = (url: string) => ({ identity: { kind: "http" as const, url, tls_key: null } });

  test("another server under the same name is quarantined whole, until its baseline is taken anew", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm, at("https://orders.example/mcp")));
    const moved = surface(calm, at("https://elsewhere.example/mcp"));
    const then = await taken(keeper, moved);
    expect(then.known.record.self).toMatchObject({ action: "quarantine", findings: [{ type: "identity_changed" }] });
    expect(code(then, "status")).toBe("tool_quarantined");
    // Back at its old address it is quarantined all the same.
    expect(code(await taken(keeper, surface(calm, at("https://orders.example/mcp"))), "status")).toBe(
      "tool_quarantined",
    );
    await taken(keeper, moved);
    const { record } = (await taken(keeper, moved)).known;
    const expected = { current: reviewHash(record.baseline as never), candidate: reviewHash(record.observed) };
    await keeper.change(server, (now) => promote(now, expected, ann));
    expect(code(await taken(keeper, moved), "status")).toBe("runs");
  });

  test("each credential has a baseline of its own", async () => {
    const { keeper } = await keep();
    await taken(keeper, surface(calm));
    const credential = `sha256:${"a".repeat(64)}`;
    const other = await taken(keeper, surface([...calm, tool("refund")], { credential }));
    expect(code(other, "refund")).toBe("runs");
    expect(keeper.list().map(({ record }) => record.credential)).toEqual([null, credential]);
  });
});

describe("what operators do", () => {
  test("a quarantine by a person stands whatever is listed, and ends by the hash alone", async () => {
    const { keeper } = await keep();
    const first = await taken(keeper, surface(calm));
    await keeper.change(server, (record) => quarantineItem(record, toolRef("total"), [], ann, "looks odd"));
    const now = await taken(keeper, surface(calm));
    // Also for the session that reported before: it is asked what is known now.
    expect([code(now, "total"), code(first, "total", now), code(now, "status")]).toEqual([
      "tool_quarantined",
      "tool_quarantined",
      "runs",
    ]);
    expect(await keeper.change(server, (r) => approveItem(r, toolRef("total"), null, ann))).toMatchObject({
      kind: "stale",
    });
    await keeper.change(server, (r) => approveItem(r, toolRef("total"), hashOf(surface(calm), "total"), ann));
    expect(code(await taken(keeper, surface(calm)), "total")).toBe("runs");
  });

  test("a session that saw what was approved before reports anew", async () => {
    const { keeper } = await keep();
    const old = await taken(keeper, surface(calm));
    const prose = surface(changed("total", { description: "Reads the total of one order." }));
    await taken(keeper, prose);
    await keeper.change(server, (r) => approveItem(r, toolRef("total"), hashOf(prose, "total"), ann));
    const now = await taken(keeper, prose);
    expect([code(old, "total", now), code(old, "status", now), code(now, "total")]).toEqual([
      "surface_stale",
      "runs",
      "runs",
    ]);
  });

  test("a rebaseline names both sides as they were reviewed", async () => {
    const { keeper, ledger } = await keep();
    await taken(keeper, surface(calm));
    const { known } = await taken(keeper, surface([...calm, tool("refund")]));
    const { baseline, observed } = known.record;
    const expected = { current: reviewHash(baseline as never), candidate: reviewHash(observed) };
    await taken(keeper, surface([...calm, tool("refund"), tool("void")]));
    const stale = await keeper.change(server, (r) => promote(r, expected, ann));
    expect(stale).toMatchObject({ kind: "stale_rebaseline", current: expected.current });
    const { candidate } = stale as { candidate: string };
    await keeper.change(server, (r) => promote(r, { ...expected, candidate }, ann));
    expect(keeper.find(key)?.record).toMatchObject({
      items: [],
      baseline: { version: 2, approved_by: "operator:ann" },
    });
    const history = await ledger.reads.listDocuments("baseline", { prefix: key, after: "", limit: 9 });
    expect(history.map(({ body: text }) => JSON.parse(text).version)).toEqual([1, 2]);
  });

  test("a removed server is refused until it is trusted again", async () => {
    const { keeper } = await keep();
    const first = await taken(keeper, surface(calm));
    await keeper.change(server, (r) => removeServer(r, ann, "no longer used"));
    expect(await keeper.report(surface(calm))).toEqual({ kind: "removed" });
    expect(code(first, "status", { ...first, known: keeper.find(key) as never })).toBe("server_removed");
    await keeper.change(server, (r) => trustServer(r, { environment: "non_production", probes: true }, ann));
    const back = await taken(keeper, surface(calm));
    expect([code(back, "status"), back.known.record.environment]).toEqual(["runs", "non_production"]);
    expect(await keeper.change({ server: "other", credential: null }, (r) => removeServer(r, ann, ""))).toBeNull();
  });
});

describe("what is kept", () => {
  test("a restart knows what was known", async () => {
    const state = temporaryState();
    const ledger = openAt(state);
    const before = await keep("first_use", ledger);
    await taken(before.keeper, surface(calm));
    await taken(before.keeper, surface(changed("total", { description: hostile })));
    ledger.close();
    const reopened = openAt(state);
    const { keeper } = await keep("first_use", reopened);
    const after = await taken(keeper, surface(changed("total", { description: hostile })));
    expect([code(after, "total"), code(after, "status")]).toEqual(["tool_quarantined", "runs"]);
    expect(after.known.version).toBe(2);
    reopened.close();
  });

  test("a server that lists something else each time fills no store", async () => {
    const { keeper, ledger } = await keep();
    await taken(keeper, surface(calm));
    for (let at = 0; at < 20; at++)
      await taken(keeper, surface(changed("total", { description: `Reads total ${at}.` })));
    const definitions = await ledger.reads.documentVersions("definition");
    expect(definitions.length).toBeLessThanOrEqual(4);
  });

  test("the same report again is neither judged nor written again", async () => {
    const { keeper, ledger } = await keep();
    const first = await taken(keeper, surface(calm));
    const { seq } = await ledger.head();
    const again = await taken(keeper, surface([...calm].reverse()));
    expect([again.known.version, (await ledger.head()).seq, again.seen === first.seen]).toEqual([1, seq, true]);
  });
});
