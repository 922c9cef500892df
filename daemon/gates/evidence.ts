import type { WireObject } from "../../wire/value.ts";
import type { FactSeen, FieldError, ToolContract } from "../contracts/contract.ts";
import { errorTypeName } from "../engine/answer.ts";

/** Why evidence denied. Its reason names arguments, the contract's own limits, and never a value. */
export interface EvidenceDenial {
  readonly code: "evidence_failed" | "evidence_threw" | "fact_failed";
  readonly reason: string;
  readonly policyId: null;
  readonly attributedTo: string | null;
}

export type EvidenceAnswer =
  | { readonly answer: "SKIP" }
  /** `args`: parsed once, strictly. Everything after judges these, and these are what runs. */
  | { readonly answer: "ALLOW"; readonly args: WireObject }
  | { readonly answer: "DENY"; readonly denial: EvidenceDenial; readonly errors: readonly FieldError[] };

export type FactAnswer = { readonly seen: readonly FactSeen[] } & (
  | { readonly answer: "ALLOW" }
  | { readonly answer: "DENY"; readonly denial: EvidenceDenial; readonly errors: readonly FieldError[] }
);

const skip: EvidenceAnswer = Object.freeze({ answer: "SKIP" });
const noErrors: readonly FieldError[] = Object.freeze([]);

/**
 * Do the arguments satisfy the tool's contract? Asked before any policy or rule, so that none of them meets `"9999"`
 * where a number is meant. No contract: nothing was looked at, and the gate says SKIP.
 */
export const evidenceGate = (contract: ToolContract | null, args: WireObject): EvidenceAnswer => {
  if (contract === null) return skip;
  try {
    const parsed = contract.parse(args);
    if (parsed.ok) return { answer: "ALLOW", args: parsed.args };
    const { errors } = parsed;
    return {
      answer: "DENY",
      denial: denied("evidence_failed", failedReason(contract, errors), errors[0]?.loc),
      errors,
    };
  } catch (error) {
    return { answer: "DENY", denial: threw(contract, error), errors: noErrors };
  }
};

/** Do the facts bear the arguments out? Asked where the contract has a `check`. A resolver that throws denies. */
export const factGate = async (contract: ToolContract, args: WireObject, now_ms: number): Promise<FactAnswer> => {
  try {
    const checked = contract.check === null ? null : await contract.check(args, now_ms);
    if (checked === null || checked.ok) return { answer: "ALLOW", seen: checked?.seen ?? [] };
    const { reason, attributedTo, seen } = checked;
    const loc = attributedTo ?? "";
    // A field error names its place beside its message.
    const msg = reason.startsWith(`${loc} `) ? reason.slice(loc.length + 1) : reason;
    const errors = [Object.freeze({ loc, msg, type: "fact" })];
    return { answer: "DENY", seen, denial: denied("fact_failed", reason, attributedTo ?? undefined), errors };
  } catch (error) {
    return { answer: "DENY", seen: [], denial: threw(contract, error), errors: noErrors };
  }
};

const denied = (code: EvidenceDenial["code"], reason: string, loc: string | undefined): EvidenceDenial =>
  Object.freeze({ code, reason, policyId: null, attributedTo: loc === undefined || loc === "" ? null : loc });

const threw = ({ name }: ToolContract, error: unknown): EvidenceDenial =>
  denied("evidence_threw", `the contract of ${name} failed, denied fail-closed: ${errorTypeName(error)}`, undefined);

const failedReason = ({ name }: ToolContract, errors: readonly FieldError[]): string => {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const what = first === undefined ? "refused" : `${first.loc === "" ? "the whole" : first.loc} ${first.msg}`;
  return `arguments of ${name} do not satisfy its contract: ${what}${more}`;
};
