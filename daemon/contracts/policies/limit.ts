import { type ArgumentPath, argumentPath, type Found, readPath } from "../../../rules/contracts/argument-path.ts";
import type { PolicyLimit } from "../../../rules/contracts/policy-definition.ts";
import type { LimitUse, Policies, PolicyCall } from "../policy.ts";
import { normalText } from "./normal-text.ts";

type Value = string | number | boolean | null;

/** What a call takes of a limit, or why nobody can say. */
export type LimitRead =
  | { readonly ok: true; readonly use: Pick<LimitUse, "attributedTo" | "counter" | "amount"> }
  | { readonly ok: false; readonly loc: string; readonly why: string };

type PerRead = (call: PolicyCall) => { readonly value: Value } | { readonly loc: string; readonly why: string };

/** Throws `RuleDefinitionError` for a path that is none. */
export const limitReader = (
  id: string,
  limit: PolicyLimit,
  principalOf: Policies["principal"],
  where: string,
): ((call: PolicyCall) => LimitRead) => {
  const sum = limit.sum === undefined ? null : argumentPath(limit.sum, `${where}: limit.sum`);
  const shown = limit.normalize === undefined ? (text: string) => text : normalText;
  const per = (limit.per ?? []).map((name) => perReader(name, principalOf, shown, `${where}: limit.per`));
  return (call) => {
    const counter: Value[] = [id];
    for (const readPer of per) {
      const one = readPer(call);
      if ("why" in one) return { ok: false, ...one };
      counter.push(one.value);
    }
    if (sum === null) return { ok: true, use: { attributedTo: null, counter, amount: 1 } };
    const total = summed(readPath(call.args, sum));
    if (typeof total !== "number") return { ok: false, ...total };
    return { ok: true, use: { attributedTo: sum.text, counter, amount: total } };
  };
};

/** A negative amount would give back what others have used. */
const summed = (found: readonly Found[]): number | { readonly loc: string; readonly why: string } => {
  let total = 0;
  for (const one of found) {
    const { loc } = one;
    if (one.kind !== "value") return { loc, why: one.kind === "missing" ? "is missing" : "is not where it should be" };
    const { value } = one;
    if (typeof value !== "number" || !Number.isFinite(value)) return { loc, why: "is not a finite number" };
    if (value < 0) return { loc, why: "is less than 0" };
    total += value;
  }
  return Number.isFinite(total) ? total : { loc: found[0]?.loc ?? "", why: "adds up to more than can be counted" };
};

const perReader = (
  name: string,
  principalOf: Policies["principal"],
  shown: (text: string) => string,
  where: string,
): PerRead => {
  if (name === "principal") return (call) => ({ value: countedOf(call, principalOf) });
  if (name === "tool") return ({ action }) => ({ value: action });
  if (name === "tenant") {
    return ({ principal, identity }) => ({ value: principalOf(principal).tenant ?? principalOf(identity).tenant });
  }
  const path = argumentPath(name.slice("args.".length), where);
  return ({ args }) => scalarAt(args, path, shown);
};

/**
 * Whom a call counts for. Whoever is bound may act under any number of names below his own: those that the signed data does not name
 * count for him, so that none of them is a budget of its own.
 */
const countedOf = ({ principal, identity }: PolicyCall, principalOf: Policies["principal"]): string | null =>
  identity === null || principalOf(principal).isNamed ? principal : identity;

const scalarAt = (
  args: PolicyCall["args"],
  path: ArgumentPath,
  shown: (text: string) => string,
): ReturnType<PerRead> => {
  const found = readPath(args, path)[0] as Found;
  const { loc } = found;
  if (found.kind !== "value")
    return { loc, why: found.kind === "missing" ? "is missing" : "is not where it should be" };
  const { value } = found;
  if (typeof value === "string") return { value: shown(value) };
  if (typeof value === "boolean") return { value };
  if (typeof value === "number" && Number.isFinite(value)) return { value };
  return { loc, why: "is not a text, a number or a boolean" };
};
