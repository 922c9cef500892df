import { byName, count, listOf, type OptionKind, oneOf, shape, text } from "../option-kind.ts";
import { definePack } from "../pack.ts";
import { nobodyElse, rolePolicies } from "./role-policies.ts";
import { type Role, standardRoles } from "./standard-roles.ts";

export { type Role, standardRoles } from "./standard-roles.ts";

export interface RolesOptions {
  /** By the name that `principals` gives to who holds it. */
  readonly roles?: Readonly<Record<string, Role>>;
  /** What becomes of calls of whoever holds none of them. */
  readonly others?: "deny" | "pass";
}

const role: OptionKind<Role> = shape(
  {},
  {
    effects: listOf(oneOf("read", "idempotent", "write")),
    tools: listOf(text),
    not_tools: listOf(text),
    maxArgumentBytes: count,
  },
);

/** Who may use which tools: by what signed contracts declare, and by whole names. */
export const roles = definePack<RolesOptions>({
  id: "roles",
  notes: {
    title: "Roles: who may use which tools, by their declared effects and by name",
    stops: [
      "A tool that a role does not have: readonly_agent uses tools whose signed contract declares effect: read, and no others.",
      "A tool that says of itself that it only reads (readOnlyHint, _meta): only signed contracts declare effects.",
      "A tool that nobody has declared, for a role that is bound to effects.",
      "Names that only contain an allowed word: get_secrets, budget_transfer, research_and_publish.",
      "More arguments than a role may give (maxArgumentBytes).",
      "Whoever holds none of the roles (roles.none).",
    ],
    cannot: [
      "What a permitted tool is asked to do is not looked at: the packs commands, paths, network and database do that.",
      "A contract that declares read for a tool that writes is believed: whoever signs it answers for it.",
      "Who holds two roles may do what both allow, not what one of them does.",
      "Roles are of principals; with principals: claimed a client says who it is. Bind it (docs/identity.md).",
    ],
    tune: [
      "Say who holds a role in principals of the rule set: { bot: { roles: [readonly_agent] } }; a call cannot.",
      "Give roles of your own, or change one: { roles: { ...standardRoles, support_agent: { tools: [crm.*] } } }.",
      "others: pass lets whoever has no role pass on to the other rules.",
    ],
  },
  options: {
    roles: {
      what: "Roles by name: { effects, tools, not_tools, maxArgumentBytes }, all of which must hold; left out: standardRoles.",
      takes: byName(role),
    },
    others: {
      what: "Calls of whoever holds none of the roles: deny (where it is left out), or pass on to other rules.",
      takes: oneOf("deny", "pass"),
    },
  },
  tiers: { starter: null, strict: null },
  whenTakenIn: { roles: standardRoles, others: "deny" },
  rules: () => [],
  policies: ({ roles: all, others }) => {
    const names = Object.keys(all);
    return Object.freeze([
      ...names.flatMap((name) => rolePolicies(name, all[name] as Role)),
      ...(others === "pass" || names.length === 0 ? [] : [nobodyElse(names)]),
    ]);
  },
});
