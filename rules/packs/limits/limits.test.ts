import { describe, expect, it } from "vitest";
import { compilePolicies } from "../../../daemon/contracts/compile-contents.ts";
import { runContentsExamples } from "../../../daemon/contracts/contents-examples.ts";
import { parsePolicies } from "../../../daemon/contracts/policies/parse.ts";
import type { PolicyFinding } from "../../../daemon/contracts/policy.ts";
import { contentsOf } from "../../../daemon/rulesets/contents.ts";
import type { WireObject } from "../../../wire/value.ts";
import { defineRules } from "../../define.ts";
import type { Tier } from "../pack.ts";
import { type StandardOptions, standardPacks } from "../standard.ts";
import { type LimitsOptions, limits } from "./index.ts";

type Options = Required<LimitsOptions>;
const around = { roots: ["/srv"], directory: null, allowHosts: [] };
const of = (tier: Tier, options: LimitsOptions): Options => ({ ...(limits.tiers[tier] as Options), ...options });
const policiesOf = (tier: Tier, options: LimitsOptions) => limits.policies?.(of(tier, options), around) ?? [];
const judged = async (
  options: LimitsOptions,
  action: string,
  args: unknown,
  tier: Tier = "starter",
): Promise<PolicyFinding> =>
  compilePolicies(parsePolicies(JSON.parse(JSON.stringify(policiesOf(tier, options))), "test"), {}).policies.judge({
    action,
    args: args as WireObject,
    principal: "agent",
    identity: null,
    parent_principal: null,
    effect: null,
    now_ms: 0,
  });
const failedSignIns = { tool: "auth", ok: "ok", max: 5, window_s: 900 };
const taken = ({ limits: uses }: PolicyFinding) => uses.map(({ policyId, amount, max }) => [policyId, amount, max]);

describe("the pack limits", () => {
  it.each(["starter", "strict"] as const)("of tier %s, with options, is a set whose examples hold", async (tier) => {
    const spend = [{ tool: "refund", sum: "amount", max: 1000, window_s: 86_400 }];
    const policies = policiesOf(tier, { spend, sameCall: { max: 30, window_s: 60 }, failedSignIns });
    const set = defineRules({ id: "packs", version: 1, policies });
    const outcomes = await runContentsExamples(set, await contentsOf(set), 0);
    expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(0);
  });

  it("is in the standard packs, and in the tier starter makes no policy until an option says so", () => {
    const idsOf = (options: Omit<StandardOptions, "roots">) =>
      standardPacks({ roots: ["/srv"], ...options })
        .policies.map(({ id }) => id)
        .filter((id) => id.startsWith("limits."));
    expect(idsOf({})).toEqual([]);
    expect(idsOf({ packs: { limits: { sameCall: { max: 30, window_s: 60 } } } })).toEqual(["limits.same-call"]);
    expect(idsOf({ tier: "strict" })).toHaveLength(5);
  });

  it("counts calls and repeats of any tool where they are taken in", async () => {
    const own = { callsPerMinute: 600, sameCall: { max: 30, window_s: 60 } };
    expect(taken(await judged(own, "git.status", {}))).toEqual([
      ["limits.calls", 1, 600],
      ["limits.same-call", 1, 30],
    ]);
  });

  it("counts destinations and bytes too in the tier strict", async () => {
    expect(taken(await judged({}, "http.get", { url: "https://a.example" }, "strict"))).toEqual([
      ["limits.calls", 1, 120],
      ["limits.same-call", 1, 10],
      ["limits.destinations", 1, 20],
      ["limits.bytes-out", 20, 20_000_000],
    ]);
  });

  it("counts nothing of what is null or excepted", async () => {
    const nothing = { callsPerMinute: null, sameCall: null, distinctDestinations: null, bytesOut: null };
    expect(taken(await judged(nothing, "git.status", {}, "strict"))).toEqual([]);
    expect(taken(await judged({ except: ["ci.*"] }, "ci.status", {}, "strict"))).toEqual([]);
  });

  it("sums what is spent, by tool, and denies an amount that is none", async () => {
    const spend = [
      { tool: "refund", sum: "amount", max: 1000, window_s: 60 },
      { tool: "ads.*", sum: "lines[].budget", max: 50, window_s: 60 },
    ];
    const own = { spend };
    expect(taken(await judged(own, "refund", { amount: 499 }))).toEqual([["limits.spend.1", 499, 1000]]);
    expect(taken(await judged(own, "ads.buy", { lines: [{ budget: 1 }, { budget: 2 }] }))).toEqual([
      ["limits.spend.2", 3, 50],
    ]);
    expect((await judged(own, "refund", { amount: "499" })).denial).toMatchObject({ attributedTo: "amount" });
  });

  it.each([
    ["false", { ok: false }, 1],
    ["0", { ok: 0 }, 1],
    ["nothing", { ok: null }, 1],
    ["an empty text", { ok: "" }, 1],
    ["absent", {}, 1],
    ["true", { ok: true }, 0],
    ["1", { ok: 1 }, 0],
    ["a text", { ok: "yes" }, 0],
  ])("counts a sign-in whose outcome is %s as it should", async (_what, args, failed) => {
    const uses = taken(await judged({ failedSignIns }, "auth", args));
    expect(uses).toEqual(failed === 1 ? [["limits.failed-sign-ins", 1, 5]] : []);
  });

  it("denies a sign-in whose outcome cannot be read", async () => {
    expect((await judged({ failedSignIns }, "auth", { ok: [] })).answer).toBe("DENY");
  });
});
