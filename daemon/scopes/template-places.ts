import type { JsonValue } from "../../wire/value.ts";
import type { ParameterType, Widening } from "./document.ts";

/** One place of a template's policy at which a parameter stands. */
export interface Place {
  readonly param: string;
  /** Into the policy. */
  readonly path: readonly (string | number)[];
}

/** What may stand at a place, and which other value there lets more calls through; null where any other may. */
interface PlaceKind {
  readonly types: readonly ParameterType[];
  readonly widens: Exclude<Widening, "never"> | null;
}

const number = (widens: PlaceKind["widens"]): PlaceKind => ({ types: ["number"], widens });
const lists = (widens: PlaceKind["widens"]): PlaceKind => ({ types: ["strings", "numbers"], widens });
const strings = (widens: PlaceKind["widens"]): PlaceKind => ({ types: ["strings"], widens });
const scalar: PlaceKind = { types: ["string", "number"], widens: null };

/**
 * A policy only narrows: it denies, asks or counts what it is about. So whatever makes it be about fewer calls, or count
 * to a higher limit, grants more; this is read off the policy and not believed of its author.
 */
const ofPolicy: Readonly<Record<string, PlaceKind>> = { tools: strings("subset"), except: strings("superset") };
const ofCondition: Readonly<Record<string, PlaceKind>> = {
  gt: number("larger"),
  gte: number("larger"),
  lt: number("smaller"),
  lte: number("smaller"),
  eq: scalar,
  ne: scalar,
  in: lists("subset"),
  not_in: lists("superset"),
  minLength: number("larger"),
  maxLength: number("smaller"),
};
const ofLimit: Readonly<Record<string, PlaceKind>> = { max: number("larger"), window_s: number("smaller") };
const ofApproval: Readonly<Record<string, PlaceKind>> = { count: number("smaller"), roles: strings("superset") };

export const placeKind = (path: Place["path"]): PlaceKind | null => {
  const [first, second, third] = path;
  const known = (kinds: Readonly<Record<string, PlaceKind>>, key: string | number | undefined) =>
    typeof key === "string" && Object.hasOwn(kinds, key) ? (kinds[key] as PlaceKind) : null;
  if (path.length === 1) return known(ofPolicy, first);
  if (path.length === 3 && first === "when") return known(ofCondition, third);
  if (path.length !== 2) return null;
  if (first === "limit") return known(ofLimit, second);
  return first === "approval" ? known(ofApproval, second) : null;
};

type Object_ = { readonly [key: string]: JsonValue };

const isObject = (value: JsonValue): value is Object_ =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The parameter that stands here; null where something else does. */
const paramAt = (value: JsonValue): string | null =>
  isObject(value) && Object.keys(value).length === 1 && typeof value.param === "string" ? value.param : null;

/** Every place, in the order in which they are written. */
export const placesIn = (policy: JsonValue, path: Place["path"] = []): readonly Place[] => {
  const param = paramAt(policy);
  if (param !== null) return [{ param, path }];
  if (Array.isArray(policy))
    return (policy as readonly JsonValue[]).flatMap((item, index) => placesIn(item, [...path, index]));
  if (!isObject(policy)) return [];
  return Object.entries(policy).flatMap(([key, value]) => placesIn(value, [...path, key]));
};

/** The policy with a value in each place. */
export const filledIn = (policy: JsonValue, valueFor: (param: string) => JsonValue): JsonValue => {
  const param = paramAt(policy);
  if (param !== null) return valueFor(param);
  if (Array.isArray(policy)) return (policy as readonly JsonValue[]).map((item) => filledIn(item, valueFor));
  if (!isObject(policy)) return policy;
  return Object.fromEntries(Object.entries(policy).map(([key, item]) => [key, filledIn(item, valueFor)]));
};
