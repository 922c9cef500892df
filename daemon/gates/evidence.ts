import type { WireObject } from "../../wire/value.ts";
import type { FactCheck, FieldError, ToolContract } from "../contracts/contract.ts";
import { errorTypeName } from "../engine/answer.ts";
import type { Denial } from "../engine/judgement.ts";

export type EvidenceAnswer =
  /** `args`: parsed once, strictly. Everything after judges these, and these are what runs. */
  { readonly answer: "ALLOW"; readonly args: WireObject } | { readonly answer: "DENY"; readonly denial: Denial };

/**
 * Do the arguments satisfy the tool's contract? Asked before any policy or rule, so that none of them meets `"9999"`
 * where a number is meant. A denial names arguments and the contract's own limits, never a value.
 */
export const evidenceGate = (contract: ToolContract, args: WireObject): EvidenceAnswer => {
  try {
    const parsed = contract.parse(args);
    return parsed.ok
      ? { answer: "ALLOW", args: parsed.args }
      : { answer: "DENY", denial: fieldsDenied(contract, parsed.errors) };
  } catch (error) {
    const reason = `the contract of ${contract.name} failed: ${errorTypeName(error)}`;
    return { answer: "DENY", denial: contractDenial("evidence_threw", reason) };
  }
};

/** Do the facts bear the arguments out? Null where they do. */
export const factDenial = (checked: FactCheck): Denial | null => {
  if (checked.ok) return null;
  const { reason, attributedTo } = checked;
  const loc = attributedTo ?? "";
  // A field error names its place beside its message.
  const msg = reason.startsWith(`${loc} `) ? reason.slice(loc.length + 1) : reason;
  const errors = Object.freeze([Object.freeze({ loc, msg, type: "fact" })]);
  return Object.freeze({ ...contractDenial("fact_failed", reason), attributedTo, errors });
};

/** A resolver threw. The type of what it threw, and never its message. */
export const resolverThrew = ({ name }: Pick<ToolContract, "name">, error: unknown): Denial =>
  contractDenial("evidence_threw", `a resolver of the contract of ${name} failed: ${errorTypeName(error)}`);

/** A denial on a contract's account: no policy made it. */
export const contractDenial = (code: Denial["code"], reason: string): Denial =>
  Object.freeze({ code, reason, policyId: null, attributedTo: null });

const fieldsDenied = ({ name }: ToolContract, errors: readonly FieldError[]): Denial => {
  const [first] = errors;
  const where = first === undefined || first.loc === "" ? "" : ` ${first.loc}:`;
  const what = first === undefined ? "" : `:${where} ${first.msg}`;
  const reason = `the arguments do not satisfy the contract of ${name}${what}`;
  const attributedTo = first === undefined || first.loc === "" ? null : first.loc;
  return Object.freeze({ ...contractDenial("evidence_failed", reason), attributedTo, errors });
};
