import { describe, expect, test } from "vitest";
import { type CiGate, ciGate, type GateBaseline, GateFailed, type GateObservation } from "../commands/ci-gate.ts";
import type { ServerRecord } from "../state/record.ts";
import { hostile, surface, tool } from "../test-keeper.ts";
import { reviewMarkdown } from "./markdown.ts";
import { failPolicies, gateExitCodes } from "./outcome.ts";

const calm = [tool("status"), tool("total")];
const saw = (tools: readonly object[]): GateObservation => ({ status: "observed", surface: surface(tools as never) });
const fromFile: GateBaseline = { from: "file", approved: surface(calm), record: null, version: null };
const fromStore = (more: Partial<ServerRecord> = {}): GateBaseline => ({
  from: "store",
  approved: surface(calm),
  record: { trust: "first_use", items: [], self: null, ...more } as ServerRecord,
  version: 4,
});
const quarantined = { kind: "tool", name: "total", action: "quarantine", severity: "critical", findings: [] } as never;

const gate = (
  observation: GateObservation | Error,
  more: Partial<CiGate> = {},
  baselines: readonly (GateBaseline | Error)[] = [fromFile],
) => {
  let at = 0;
  const given = <T>(value: T | Error): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  return ciGate({
    server: { server: "orders", credential: null },
    policy: "material",
    by: "command",
    timeout_s: 60,
    now_ms: 0,
    baseline: () => given(baselines[Math.min(at++, baselines.length - 1)] as GateBaseline),
    observe: () => given(observation),
    ...more,
  });
};

const worded = [tool("status", { description: "Reads the status of orders." }), tool("total")];
const added = [...calm, tool("refund")];
const poisoned = [tool("status", { description: hostile }), tool("total")];
const unavailable: GateObservation = { status: "unavailable", reason: "the server ended before it was listed" };
const rejected: GateObservation = { status: "observed_rejected", reason: "the listing is refused" };

test("exit codes are these, and none is 1", () => {
  expect(gateExitCodes).toEqual({
    clean: 0,
    advisory: 0,
    review_required: 20,
    quarantined: 21,
    inconclusive: 22,
    config_error: 2,
    auth_error: 3,
    protocol_error: 4,
  });
});

describe("an outcome", () => {
  test.each<[what: string, tools: readonly object[], outcomes: readonly string[]]>([
    ["as approved", calm, ["clean", "clean", "clean"]],
    ["another wording", worded, ["advisory", "review_required", "advisory"]],
    ["a new tool", added, ["review_required", "review_required", "advisory"]],
    ["hostile", poisoned, ["quarantined", "quarantined", "quarantined"]],
  ])("of %s, by each policy", async (_what, tools, outcomes) => {
    const all = await Promise.all(
      failPolicies.map(async (policy) => (await gate(saw(tools), { policy })).review.gate.outcome),
    );
    expect(all).toEqual(outcomes);
  });

  test.each<
    [what: string, observation: GateObservation | Error, baselines: readonly (GateBaseline | Error)[], code: number]
  >([
    ["quarantined in the store", saw(calm), [fromStore({ items: [quarantined] })], 21],
    ["removed by an operator", saw(calm), [fromStore({ trust: "removed" })], 21],
    ["quarantined, and it does not answer", unavailable, [fromStore({ items: [quarantined] })], 21],
    ["that does not answer", unavailable, [fromFile], 22],
    ["whose listing is refused", rejected, [fromFile], 22],
    ["that was approved anew meanwhile", saw(calm), [fromStore(), { ...fromStore(), approved: surface(added) }], 22],
    [
      "that was held meanwhile",
      saw(calm),
      [fromStore(), fromStore({ items: [{ ...(quarantined as object), action: "deny" } as never] })],
      22,
    ],
    ["that speaks no MCP", new GateFailed("protocol_error", "no"), [fromFile], 4],
    ["whose baseline may not be read", saw(calm), [new GateFailed("auth_error", "no")], 3],
    ["without a baseline", saw(calm), [new GateFailed("config_error", "no")], 2],
  ])("no policy softens: a server %s", async (_what, observation, baselines, code) => {
    for (const policy of failPolicies) expect((await gate(observation, { policy }, baselines)).exitCode).toBe(code);
  });

  test("is inconclusive where there are more findings than a review holds", async () => {
    const many = Array.from({ length: 1_001 }, (_, at) => tool(`made_${at}`));
    const { review } = await gate(saw([...calm, ...many]));
    expect([review.gate.outcome, review.findings.length, review.caps.findings_left_out]).toEqual([
      "inconclusive",
      1_000,
      1,
    ]);
  });
});

describe("a review", () => {
  test("has each of its sections, hashes and places, and no text out of a definition", async () => {
    const { review, lines } = await gate(saw(poisoned), {}, [fromStore({ items: [quarantined] })]);
    expect(Object.keys(review).sort()).toEqual(
      "boundary caps evidence findings format_version gate gateway_mediation limitations observation redaction review_queue server severity_summary".split(
        " ",
      ),
    );
    expect(review).toMatchObject({
      format_version: "interlock.ci-boundary-review/v1",
      boundary: { baseline: "store", matches: false, approved_items: 2, observed_items: 2, snapshot_version: 4 },
      findings: [{ scope: "item", item: "tool:status", decision: "quarantine", severity: "critical" }],
      review_queue: [{ item: "tool:total", enforced_now: true }],
      server: { server_ref: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
    expect(review.redaction.excluded).toHaveLength(12);
    expect(lines).toEqual([expect.stringMatching(/^interlock ci-gate: quarantined \(21\): /)]);
    for (const text of [JSON.stringify(review), reviewMarkdown(review)]) {
      expect(text).not.toMatch(/id_rsa|collect\.example|Ignore all|orders/);
    }
  });

  test("of names that are markup is text all the same, each in its row", async () => {
    const names = [
      "a|b",
      "</td><script>",
      "[x](https://e.example)",
      "www.e.example",
      "`x`",
      "@team",
      "a\n# b",
      "\u202eb",
      "![i](x)",
      "a@e.example",
    ];
    const markdown = reviewMarkdown((await gate(saw([...calm, ...names.map((name) => tool(name))]))).review);
    const rows = markdown.split("\n").filter((line) => line.startsWith("| tool"));
    expect(rows).toHaveLength(names.length);
    for (const row of rows) expect(row.split(" | ")).toHaveLength(6);
    expect(rows.join("")).not.toMatch(/[<>[\]`@*_!]|www\.|https:/);
    expect(markdown.match(/^#+ /gm)).toHaveLength(4);
  });
});
