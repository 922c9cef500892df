import { type ArgumentPath, argumentPath, type Found, readPath } from "../../../rules/contracts/argument-path.ts";
import type { PolicyLimit } from "../../../rules/contracts/policy-definition.ts";
import type { JsonValue } from "../../../wire/value.ts";
import { argsJson } from "../../engine/args-json.ts";
import type { LimitUse, Policies, PolicyCall } from "../policy.ts";
import { distinctReader } from "./distinct.ts";
import { normalText } from "./normal-text.ts";
import { volumeReader } from "./volume.ts";

type Value = string | number | boolean | null;

interface Unreadable {
  readonly loc: string;
  readonly why: string;
}

/** What a call takes of a limit, or why nobody can say. */
export type LimitRead =
  | { readonly ok: true; readonly use: Pick<LimitUse, "attributedTo" | "counter" | "amount" | "distinct"> }
  | ({ readonly ok: false } & Unreadable);

type PerRead = (call: PolicyCall) => { readonly value: Value } | Unreadable;

/** What a limit counts, of one call. `also` names the counter, beside what it counts per. */
type Taken = Pick<LimitUse, "attributedTo" | "amount" | "distinct"> & { readonly also: readonly JsonValue[] };

/** Throws `RuleDefinitionError` for a path that is none. */
export const limitReader = (
  id: string,
  limit: PolicyLimit,
  principalOf: Policies["principal"],
  where: string,
): ((call: PolicyCall) => LimitRead) => {
  const shown = limit.normalize === undefined ? (text: string) => text : normalText;
  const names = limit.repeats === undefined ? (limit.per ?? []) : ["principal", "tool"];
  const per = names.map((name) => perReader(name, principalOf, shown, `${where}: limit.per`));
  const take = taker(limit, shown, where);
  return (call) => {
    const counter: JsonValue[] = [id];
    for (const readPer of per) {
      const one = readPer(call);
      if ("why" in one) return { ok: false, ...one };
      counter.push(one.value);
    }
    const taken = take(call);
    if ("why" in taken) return { ok: false, ...taken };
    const { also, ...use } = taken;
    return { ok: true, use: { ...use, counter: [...counter, ...also] } };
  };
};

const taker = (
  { sum, distinct, repeats, volume }: PolicyLimit,
  shown: (text: string) => string,
  where: string,
): ((call: PolicyCall) => Taken | Unreadable) => {
  if (sum !== undefined) return summing(argumentPath(sum, `${where}: limit.sum`));
  if (distinct !== undefined) {
    const readValues = distinctReader(distinct, shown, `${where}: limit.distinct`);
    const attributedTo = distinct === "destination" ? null : distinct;
    return ({ args }) => {
      const read = readValues(args);
      if (!read.ok) return { loc: read.loc, why: read.why };
      return { attributedTo, amount: read.values.length, distinct: read.values, also: [] };
    };
  }
  if (volume !== undefined) {
    const readVolume = volumeReader(volume, `${where}: limit.volume`);
    const attributedTo = volume === "arguments" ? null : volume;
    return ({ args }) => {
      const read = readVolume(args);
      if (!read.ok) return { loc: read.loc, why: read.why };
      return { attributedTo, amount: read.bytes, distinct: null, also: [] };
    };
  }
  const one = { attributedTo: null, amount: 1, distinct: null } as const;
  if (repeats !== undefined) return ({ args }) => ({ ...one, also: [argsJson(args)] });
  return () => ({ ...one, also: [] });
};

const summing =
  (path: ArgumentPath) =>
  ({ args }: PolicyCall): Taken | Unreadable => {
    const total = summed(readPath(args, path));
    return typeof total === "number" ? { attributedTo: path.text, amount: total, distinct: null, also: [] } : total;
  };

/** A negative amount would give back what others have used. */
const summed = (found: readonly Found[]): number | Unreadable => {
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
