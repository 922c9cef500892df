import { actionMatches } from "../../../rules/action-pattern.ts";
import type { PolicyApproval, PolicyDefinition, PolicyLimit } from "../../../rules/contracts/policy-definition.ts";
import type { ApprovalNeed, ApprovalScope, LimitUse, Policies, PolicyCall } from "../policy.ts";
import { conditionPart } from "./condition.ts";
import { effectPart } from "./effect-part.ts";
import { hoursPart } from "./hours.ts";
import { type LimitRead, limitReader } from "./limit.ts";
import { sizePart } from "./size-part.ts";
import { allOf, type PolicyPart } from "./truth.ts";
import { whoPart } from "./who.ts";

/** What one policy says of one call. */
export type PolicySaid =
  | { readonly kind: "silent" }
  | { readonly kind: "deny"; readonly reason: string; readonly attributedTo: string | null }
  | { readonly kind: "ask"; readonly need: ApprovalNeed }
  | { readonly kind: "limit"; readonly use: LimitUse };

export interface CompiledPolicy {
  readonly definition: PolicyDefinition;
  readonly parts: readonly PolicyPart[];
  covers(action: string): boolean;
  /** May throw: the caller makes a denial of it. */
  judge(call: PolicyCall): PolicySaid;
}

const silent: PolicySaid = Object.freeze({ kind: "silent" });
const defaultExpires_s = 3600;

/** Throws `RuleDefinitionError` for a path or a pattern that is none. */
export const compilePolicy = (definition: PolicyDefinition, principalOf: Policies["principal"]): CompiledPolicy => {
  const { id, tools, except = [], limit } = definition;
  const where = `policy ${id}`;
  const parts = partsOf(definition, principalOf, where);
  const answer = limit === undefined ? answerOf(definition) : limitOf(definition, principalOf, where);
  return Object.freeze({
    definition,
    parts,
    covers: (action: string) =>
      tools.some((pattern) => actionMatches(pattern, action)) &&
      !except.some((pattern) => actionMatches(pattern, action)),
    judge: (call: PolicyCall): PolicySaid => {
      const truth = allOf(parts, call);
      if (truth.kind === "no_match") return silent;
      if (truth.kind === "unreadable") return unreadable(id, truth.loc ?? "", truth.why);
      return answer(call, truth.loc);
    },
  });
};

const partsOf = (
  { who, effects, not_effects, arguments_over_bytes, during, outside, when = {} }: PolicyDefinition,
  principalOf: Policies["principal"],
  where: string,
): readonly PolicyPart[] =>
  Object.freeze([
    ...(who === undefined ? [] : [whoPart(who, principalOf)]),
    ...(effects === undefined && not_effects === undefined ? [] : [effectPart(effects, not_effects)]),
    ...(arguments_over_bytes === undefined ? [] : [sizePart(arguments_over_bytes)]),
    ...(during === undefined ? [] : [hoursPart("during", during)]),
    ...(outside === undefined ? [] : [hoursPart("outside", outside)]),
    ...Object.entries(when).map(([path, condition]) => conditionPart(path, condition, `${where}: when ${path}`)),
  ]);

type Answer = (call: PolicyCall, loc: string | null) => PolicySaid;

const unreadable = (id: string, loc: string, why: string): PolicySaid => ({
  kind: "deny",
  reason: `policy ${id} cannot judge the call: ${loc} ${why}`,
  attributedTo: loc,
});

const answerOf = ({ id, then, reason, approval = {} }: PolicyDefinition): Answer => {
  if (then === "deny")
    return (_call, loc) => ({ kind: "deny", reason: reason ?? `denied by policy ${id}`, attributedTo: loc });
  const need = {
    policyId: id,
    reason: reason ?? `policy ${id} asks for approval`,
    by: approval.by ?? "operator",
    roles: Object.freeze([...(approval.roles ?? [])]),
    count: approval.count ?? 1,
    expires_ms: (approval.expires_s ?? defaultExpires_s) * 1000,
    scopes: scopesOf(approval),
  } as const;
  return (_call, loc) => ({ kind: "ask", need: Object.freeze({ ...need, attributedTo: loc }) });
};

const scopesOf = ({ scopes = [] }: PolicyApproval): readonly ApprovalScope[] => {
  const named = scopes.map((scope): ApprovalScope => {
    if (typeof scope === "string") return Object.freeze({ kind: scope });
    return Object.freeze({ kind: "shape", paths: Object.freeze([...scope.shape]) });
  });
  return Object.freeze(named.some(({ kind }) => kind === "once") ? named : [Object.freeze({ kind: "once" }), ...named]);
};

const whatOf = ({ sum, distinct, repeats, volume }: PolicyLimit): string => {
  if (sum !== undefined) return `of ${sum}`;
  if (distinct !== undefined) return distinct === "destination" ? "destinations" : `different ${distinct}`;
  if (volume !== undefined) return `bytes of ${volume}`;
  return repeats === undefined ? "calls" : "repeats of the same call";
};

const limitOf = (definition: PolicyDefinition, principalOf: Policies["principal"], where: string): Answer => {
  const { id } = definition;
  const limit = definition.limit as NonNullable<PolicyDefinition["limit"]>;
  const read: (call: PolicyCall) => LimitRead = limitReader(id, limit, principalOf, where);
  const max = (limit.volume === undefined ? limit.max : limit.max_bytes) as number;
  const reason = definition.reason ?? `more than ${max} ${whatOf(limit)} in ${limit.window_s} s`;
  return (call) => {
    const taken = read(call);
    if (!taken.ok) return unreadable(id, taken.loc, taken.why);
    // A call that goes nowhere takes nothing.
    if (taken.use.distinct?.length === 0) return silent;
    const use = { policyId: id, reason, window_ms: limit.window_s * 1000, max, ...taken.use };
    return { kind: "limit", use: Object.freeze(use) };
  };
};
