import type { PolicyDefinition, PolicyExample } from "../../contracts/policy-definition.ts";
import type { Role } from "./standard-roles.ts";

/** A denial for each thing that a role is bound to. Who holds the role is said by signed `principals`, never by the call. */
export const rolePolicies = (name: string, role: Role): readonly PolicyDefinition[] => {
  const { effects, tools, not_tools, maxArgumentBytes } = role;
  const of = { who: { roles: [name] }, then: "deny" } as const;
  const says = (action: string, expect: "allow" | "deny", more: Partial<PolicyExample> = {}): PolicyExample => ({
    action,
    args: {},
    roles: [name],
    ...more,
    expect,
  });
  const undeclared = "undeclared.tool";
  const list: (PolicyDefinition | null)[] = [
    effects === undefined
      ? null
      : {
          ...of,
          id: `roles.${name}.effects`,
          tools: ["*"],
          not_effects: effects,
          reason: `the role ${name} may use tools whose contract declares ${effects.join(" or ")}; no contract declares that of this one`,
          examples: [
            says(undeclared, "deny", { args: { readOnlyHint: true } }),
            ...effects.map((effect) => says("declared.tool", "allow", { effect })),
          ],
        },
    tools === undefined
      ? null
      : {
          ...of,
          id: `roles.${name}.tools`,
          tools: ["*"],
          except: tools,
          reason: `the role ${name} may not use this tool: it is none of those that the role names`,
          examples: [says(undeclared, "deny"), ...tools.map((tool) => says(actionOf(tool), "allow"))],
        },
    not_tools === undefined
      ? null
      : {
          ...of,
          id: `roles.${name}.not-tools`,
          tools: not_tools,
          reason: `the role ${name} may not use this tool`,
          examples: not_tools.map((tool) => says(actionOf(tool), "deny")),
        },
    maxArgumentBytes === undefined
      ? null
      : {
          ...of,
          id: `roles.${name}.arguments`,
          tools: ["*"],
          arguments_over_bytes: maxArgumentBytes,
          reason: `the role ${name} may give a tool at most ${maxArgumentBytes} bytes of arguments`,
          examples: [
            says("any.tool", "deny", { args: { a: "x".repeat(maxArgumentBytes) } }),
            says("any.tool", "allow", { args: { a: "x".repeat(Math.max(0, maxArgumentBytes - 1)) } }),
          ],
        },
  ];
  return list.filter((one) => one !== null);
};

/** Whoever holds none of the roles may do nothing. */
export const nobodyElse = (names: readonly string[]): PolicyDefinition => ({
  id: "roles.none",
  tools: ["*"],
  who: { not_roles: names },
  then: "deny",
  reason: "only who holds a role may use tools",
  examples: [
    { action: "any.tool", args: {}, roles: [], expect: "deny" },
    ...names.map((name): PolicyExample => ({ action: "any.tool", args: {}, roles: [name], expect: "allow" })),
  ],
});

const actionOf = (pattern: string): string => (pattern.endsWith(".*") ? `${pattern.slice(0, -1)}tool` : pattern);
