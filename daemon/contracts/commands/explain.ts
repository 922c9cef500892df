import type { WireObject } from "../../../wire/value.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import type { Denial } from "../../engine/judgement.ts";
import { ExitCode } from "../../exit-codes.ts";
import { evidenceGate, factDenial, resolverThrew } from "../../gates/evidence.ts";
import { type CandidateFile, candidateSet } from "../../rulesets/candidate-set.ts";
import { contentsOf } from "../../rulesets/contents.ts";
import { SigningRefused } from "../../rulesets/sign-refusal.ts";
import type { ToolContract } from "../contract.ts";
import type { CompiledPolicy } from "../policies/compiled-policy.ts";
import type { PolicyPart } from "../policies/truth.ts";
import type { LimitUse, PolicyCall, PolicyFinding } from "../policy.ts";

export interface ExplainRequest extends CandidateFile {
  /** JSON: `action`, `args`, and where they matter `principal` and `at` (RFC 3339). */
  readonly call: string;
}

interface Said {
  readonly by: string;
  readonly answer: string;
  readonly why: string;
  readonly parts: readonly string[];
}

/** `interlock policy explain FILE --call CALL`: what each tool and policy says of one call, and why. Facts are looked up. */
export const explain = (request: ExplainRequest): Promise<CommandResult> =>
  orRefusal(async () => {
    const call = callOf(request.call, request.now_ms);
    const set = await candidateSet(request);
    const { tools, policies: definitions, principals } = await contentsOf(set);
    const { compilePolicies } = await import("../compile-contents.ts");
    const { compiled, policies } = compilePolicies(definitions, principals);
    const contract = tools.find(({ name }) => name === call.action) ?? null;
    const evidence = await evidenceOf(contract, call);
    const said = [evidence.said];
    let answer = evidence.said.answer;
    if (answer !== "DENY") {
      const final = { ...call, args: evidence.args, effect: contract?.effect ?? null };
      const about = compiled.filter((policy) => policy.covers(call.action));
      const finding = policies.judge(final);
      for (const [at, [id, what]] of finding.said.entries())
        said.push(saidBy(about[at] as CompiledPolicy, id, what, final, finding));
      // A contract that is satisfied lets the call through where no policy has anything to say.
      if (finding.answer !== "SKIP") answer = finding.answer;
    }
    const lines = said.flatMap(({ by, answer: what, why, parts }) => [
      `${what} ${by}${why === "" ? "" : `: ${why}`}`,
      ...parts.map((part) => `  ${part}`),
    ]);
    const so = answer === "SKIP" ? "so: SKIP, nothing here is about this call" : `so: ${answer}`;
    return done([...lines, so], { action: call.action, answer, said });
  }, ExitCode.refused);

const evidenceOf = async (
  contract: ToolContract | null,
  call: PolicyCall,
): Promise<{ said: Said; args: WireObject }> => {
  const by = `the contract of ${call.action}`;
  if (contract === null) return { said: { by, answer: "SKIP", why: "there is none", parts: [] }, args: call.args };
  const denied = ({ reason, errors = [] }: Denial) => ({
    said: { by, answer: "DENY", why: reason, parts: errors.map(({ loc, msg, type }) => `${loc} ${msg} (${type})`) },
    args: call.args,
  });
  const read = evidenceGate(contract, call.args);
  if (read.answer === "DENY") return denied(read.denial);
  const { args } = read;
  if (contract.check === null) return { said: { by, answer: "ALLOW", why: "", parts: [] }, args };
  try {
    const checked = await contract.check(args, call.now_ms);
    const denial = factDenial(checked);
    if (denial !== null) return denied(denial);
    return {
      said: { by, answer: "ALLOW", why: "", parts: checked.seen.map(({ resolver }) => `looked at ${resolver}`) },
      args,
    };
  } catch (error) {
    return denied(resolverThrew(contract, error));
  }
};

const saidBy = (
  policy: CompiledPolicy,
  id: string,
  answer: string,
  call: PolicyCall,
  { limits }: Pick<PolicyFinding, "limits">,
): Said => {
  const parts = policy.parts.map((part) => partLine(part, call));
  const limit = limits.find(({ policyId }) => policyId === id);
  if (limit !== undefined) parts.push(takesLine(limit));
  return { by: id, answer, why: answer === "ALLOW" && limit === undefined ? "not about this call" : "", parts };
};

const takesLine = ({ amount, max, distinct }: LimitUse): string =>
  distinct === null ? `takes ${amount} of ${max}` : `puts ${amount} different on a window of ${max}`;

const partLine = (part: PolicyPart, call: PolicyCall): string => {
  const truth = part.test(call);
  if (truth.kind === "unreadable") return `${part.name}: cannot be read: ${truth.loc} ${truth.why}`;
  return `${part.name}: ${truth.kind === "match" ? "holds" : "does not hold"}`;
};

const callOf = (text: string, now_ms: number): PolicyCall => {
  const refuse = (what: string): never => {
    throw new SigningRefused("bad_data", `--call ${what}, such as '{"action":"refund","args":{"amount":5}}'`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("must be JSON");
  }
  if (!isObject(value) || typeof value.action !== "string" || !isObject(value.args ?? {}))
    return refuse("must hold an action and args");
  for (const key of Object.keys(value))
    if (!["action", "args", "principal", "at"].includes(key)) return refuse(`has an unknown key ${key.slice(0, 40)}`);
  const { action, args = {}, principal = null, at } = value;
  if (principal !== null && typeof principal !== "string") return refuse("has a principal that is no text");
  const at_ms = at === undefined ? now_ms : typeof at === "string" ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(at_ms)) return refuse("has an at that is no time");
  return {
    action,
    args: args as WireObject,
    principal,
    identity: null,
    parent_principal: null,
    effect: null,
    now_ms: at_ms,
  };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
