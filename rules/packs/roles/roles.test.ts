import { describe, expect, it } from "vitest";
import { compilePolicies } from "../../../daemon/contracts/compile-contents.ts";
import { runContentsExamples } from "../../../daemon/contracts/contents-examples.ts";
import type { PolicyCall } from "../../../daemon/contracts/policy.ts";
import { contentsOf } from "../../../daemon/rulesets/contents.ts";
import type { WireObject } from "../../../wire/value.ts";
import type { Effect } from "../../contracts/tool.ts";
import { defineRules } from "../../define.ts";
import { standardPacks } from "../standard.ts";
import { type RolesOptions, roles, standardRoles } from "./index.ts";

const names = Object.keys(standardRoles);
const principals = Object.fromEntries(names.map((name) => [name, { roles: [name] }]));
const around = { roots: ["/srv"], directory: null, allowHosts: [] };
const setOf = (options: RolesOptions) => {
  const policies = roles.policies?.({ ...(roles.whenTakenIn as Required<RolesOptions>), ...options }, around) ?? [];
  return defineRules({ id: "packs", version: 1, policies, principals: { ...principals, nobody: {} } });
};

interface Asked {
  readonly principal: string | null;
  readonly action: string;
  readonly effect?: Effect | null;
  readonly args?: unknown;
}
const saying = async (options: RolesOptions = {}) => {
  const set = await contentsOf(setOf(options));
  const { policies } = compilePolicies(set.policies, set.principals);
  return ({ principal, action, effect = null, args = {} }: Asked) => {
    const call: PolicyCall = {
      action,
      args: args as WireObject,
      principal,
      identity: null,
      parent_principal: null,
      effect,
      now_ms: 0,
    };
    return policies.judge(call).denial?.policyId ?? null;
  };
};

describe("the pack roles", () => {
  it("is in no tier: who holds which role, its user says", () => {
    const { policies } = standardPacks({ roots: ["/srv"], tier: "strict" });
    expect(policies.some(({ id }) => id.startsWith("roles."))).toBe(false);
  });

  it("is taken in by its options", () => {
    const { policies } = standardPacks({ roots: ["/srv"], packs: { roles: {} } });
    expect(policies.map(({ id }) => id)).toContain("roles.readonly_agent.effects");
  });

  it("is a set whose examples hold, for all six roles", async () => {
    const set = setOf({});
    const outcomes = await runContentsExamples(set, await contentsOf(set), 0);
    expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
    for (const name of names) expect(outcomes.some(({ id }) => id.startsWith(`roles.${name}.`))).toBe(true);
  });
});

describe("readonly_agent", () => {
  it.each([
    ["get_secrets", "a name that begins with get", {}],
    ["budget_transfer", "a name that holds get", {}],
    ["research_and_publish", "a name that holds search", {}],
    ["delete_user", "a tool that says it only reads", { readOnlyHint: true }],
    ["delete_user", "a tool that says so in its _meta", { _meta: { interlock: { effect: "read" } } }],
    ["search", "a tool of a good name that nobody declared", { query: "x" }],
  ])("may not call %s: %s", async (action, _what, args) => {
    const said = await saying();
    expect(said({ principal: "readonly_agent", action, args })).toBe("roles.readonly_agent.effects");
  });

  it.each(["write", "idempotent"] as const)("may not call what is declared %s", async (effect) => {
    const said = await saying();
    expect(said({ principal: "readonly_agent", action: "search", effect })).toBe("roles.readonly_agent.effects");
  });

  it.each(["brunch", "drop off times", "how to delete a branch", "running shoes"])(
    "may search for %s",
    async (query) => {
      const said = await saying();
      expect(said({ principal: "readonly_agent", action: "search", effect: "read", args: { query } })).toBeNull();
    },
  );

  it("may not give more than its arguments may hold", async () => {
    const said = await saying();
    const args = { query: "x".repeat(2_001) };
    expect(said({ principal: "readonly_agent", action: "search", effect: "read", args })).toBe(
      "roles.readonly_agent.arguments",
    );
  });
});

describe("roles by name", () => {
  it.each([
    ["support_agent", "send_email", null],
    ["support_agent", "send_email_to_all", "roles.support_agent.tools"],
    ["support_agent", "bash", "roles.support_agent.tools"],
    ["devops_agent", "bash", null],
    ["devops_agent", "delete_database", "roles.devops_agent.tools"],
    ["finance_agent", "read_ledger", null],
    ["finance_agent", "modify_record", "roles.finance_agent.tools"],
    ["data_analyst", "run_sql", null],
    ["data_analyst", "execute_python", "roles.data_analyst.tools"],
    ["admin_agent", "anything.at.all", null],
    ["admin_agent", "wipe_database", "roles.admin_agent.not-tools"],
    ["nobody", "search", "roles.none"],
    ["stranger", "search", "roles.none"],
    [null, "search", "roles.none"],
  ])("%s calls %s: %s", async (principal, action, policy) => {
    expect((await saying())({ principal, action })).toBe(policy);
  });

  it("are those that a user names, and others may pass", async () => {
    const said = await saying({ roles: { support_agent: { tools: ["crm.*"] } }, others: "pass" });
    expect(said({ principal: "support_agent", action: "crm.read" })).toBeNull();
    expect(said({ principal: "support_agent", action: "send_email" })).toBe("roles.support_agent.tools");
    expect(said({ principal: "admin_agent", action: "wipe_database" })).toBeNull();
  });

  it("a name that is no id is refused", async () => {
    await expect(saying({ roles: { "a role": { tools: ["x"] } } })).rejects.toThrow(/policies\.0\.id/);
  });
});
