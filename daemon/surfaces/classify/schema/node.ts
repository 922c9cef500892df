import type { WireObject, WireValue } from "../../../../wire/value.ts";
import { mostReferenceHops } from "../limits.ts";
import { isObject, own, type SchemaDocument } from "./document.ts";
import type { Incomparable } from "./fact.ts";
import { fingerprint } from "./fingerprint.ts";

export type JsonType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A schema as what it accepts, so that two ways to write the same are the same. */
export interface SchemaNode {
  /** `false`: it accepts nothing. */
  readonly isNothing: boolean;
  /** Null: any. `number` brings `integer` with it. */
  readonly types: ReadonlySet<JsonType> | null;
  /** Of `enum` and `const`, by fingerprint; null where there are none. Where there are, `types` is null. */
  readonly values: ReadonlyMap<string, WireValue> | null;
  /** Everything else. */
  readonly keywords: WireObject;
  readonly problem: Incomparable | null;
}

/** They say nothing about what is accepted; the texts in them are judged as texts. */
export const annotations: ReadonlySet<string> = new Set(
  "$schema $id id $anchor $dynamicAnchor $comment $vocabulary $defs definitions title description markdownDescription examples example default deprecated readOnly writeOnly".split(
    " ",
  ),
);

const types: ReadonlySet<string> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const nothing: WireObject = Object.freeze({});

export const nodeOf = (schema: WireValue | undefined, document: SchemaDocument): SchemaNode => {
  if (schema === undefined || schema === true) return any(null);
  if (schema === false) return { ...any(null), isNothing: true };
  if (!isObject(schema)) return any("unknown_keyword");
  const opened = withoutReference(schema, document);
  if (opened === null) return any("refers_nowhere");
  if (opened === "outside") return any("refers_outside");
  if (typeof opened === "boolean") return nodeOf(opened, document);
  return read(folded(opened));
};

/**
 * Two schemas as they can be compared: where one of them is a choice (`anyOf`, `oneOf`) and the other is none, or could be written
 * without one, the other is a choice of one, so that a branch that comes is a branch that comes.
 */
export const nodesOf = (
  before: WireValue | undefined,
  inBefore: SchemaDocument,
  after: WireValue | undefined,
  inAfter: SchemaDocument,
): readonly [SchemaNode, SchemaNode] => {
  const [one, other] = [nodeOf(before, inBefore), nodeOf(after, inAfter)];
  const [is, becomes] = [choiceOf(one.keywords), choiceOf(other.keywords)];
  if (is === becomes) return [one, other];
  return [
    is === "anyOf" ? one : asChoice(one, before, inBefore),
    becomes === "anyOf" ? other : asChoice(other, after, inAfter),
  ];
};

type Choice = "anyOf" | "oneOf";

const choiceOf = (keywords: WireObject): Choice | null =>
  Array.isArray(keywords.anyOf) ? "anyOf" : Array.isArray(keywords.oneOf) ? "oneOf" : null;

const asChoice = (node: SchemaNode, schema: WireValue | undefined, document: SchemaDocument): SchemaNode => {
  if (!isObject(schema) || node.problem !== null || node.isNothing) return node;
  const opened = withoutReference(schema, document);
  if (!isObject(opened as WireValue)) return node;
  const constraints = constraintsOf(opened as WireObject);
  const choice = choiceOf(constraints);
  if (choice !== null) {
    const { [choice]: members, ...rest } = constraints;
    return read({ ...rest, anyOf: members! });
  }
  return Object.keys(constraints).length === 0 ? node : read({ anyOf: [constraints] });
};

const any = (problem: Incomparable | null): SchemaNode => ({
  isNothing: false,
  types: null,
  values: null,
  keywords: nothing,
  problem,
});

const withoutReference = (schema: WireObject, document: SchemaDocument): WireObject | boolean | null | "outside" => {
  let at: WireObject = schema;
  for (let hop = 0; hop < mostReferenceHops; hop++) {
    const reference = own(at, "$ref") ?? own(at, "$dynamicRef");
    if (typeof reference !== "string") return at;
    const resolved = document.follow(reference);
    if (!resolved.ok) return resolved.why === "refers_outside" ? "outside" : null;
    const { $ref: _one, $dynamicRef: _other, ...beside } = at;
    const isBare = Object.keys(beside).every((name) => annotations.has(name));
    if (typeof resolved.schema === "boolean" && isBare) return resolved.schema;
    if (isBare && isObject(resolved.schema)) at = { ...resolved.schema, ...beside };
    // What stands beside a reference is asked for as well (2020-12, 8.2.3.1).
    else return { ...beside, allOf: [...listOf(own(beside, "allOf")), resolved.schema] };
  }
  return null;
};

const listOf = (value: WireValue | undefined): readonly WireValue[] => (Array.isArray(value) ? value : []);

/** Combinators that are only a long way to write a type or an enumeration, written the short way. */
const folded = (schema: WireObject): WireObject => {
  const all = own(schema, "allOf");
  if (Array.isArray(all) && all.length === 1 && isObject(all[0]) && isDisjoint(schema, all[0] as WireObject)) {
    const { allOf: _all, ...rest } = schema;
    return folded({ ...(all[0] as WireObject), ...rest });
  }
  for (const combinator of ["anyOf", "oneOf"]) {
    const members = own(schema, combinator);
    if (!Array.isArray(members) || members.length === 0 || !members.every(isObject)) continue;
    const { [combinator]: _members, ...rest } = schema;
    const short = shortOf(members as readonly WireObject[]);
    if (short !== null && isDisjoint(rest, short)) return { ...rest, ...short };
  }
  return schema;
};

const isDisjoint = (schema: WireObject, inner: WireObject): boolean =>
  own(inner, "$ref") === undefined &&
  own(inner, "allOf") === undefined &&
  Object.keys(inner).every((name) => annotations.has(name) || !Object.hasOwn(schema, name));

const shortOf = (members: readonly WireObject[]): WireObject | null => {
  const read = members.map(constraintsOf);
  if (read.every((member) => isOnly(member, ["const", "enum", "type"]) && hasValues(member)))
    return { enum: read.flatMap((member) => (Object.hasOwn(member, "const") ? [member.const!] : listOf(member.enum))) };
  if (read.every((member) => isOnly(member, ["type"]) && Object.hasOwn(member, "type")))
    return { type: read.flatMap(({ type }) => (Array.isArray(type) ? (type as readonly WireValue[]) : [type!])) };
  // Values beside the type that they are of.
  const isSimple = read.every(
    (member) => isOnly(member, ["const", "enum", "type"]) && (hasValues(member) || Object.hasOwn(member, "type")),
  );
  if (isSimple) {
    const open = new Set(
      read.filter((member) => !hasValues(member)).flatMap(({ type }) => (Array.isArray(type) ? type : [type])),
    );
    if (open.has("number")) open.add("integer");
    const values = read.flatMap((member) => (Object.hasOwn(member, "const") ? [member.const!] : listOf(member.enum)));
    if (values.every((value) => open.has(typeOf(value)))) return { type: [...open] as readonly WireValue[] };
  }
  // One thing or null.
  const others = read.filter((member) => !(isOnly(member, ["type"]) && member.type === "null"));
  if (others.length === 1 && read.length === 2 && typeof others[0]?.type === "string" && !hasValues(others[0]))
    return { ...others[0], type: [others[0].type, "null"] };
  return null;
};

const constraintsOf = (schema: WireObject): WireObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !annotations.has(name)));

const isOnly = (schema: WireObject, names: readonly string[]): boolean =>
  Object.keys(schema).every((name) => names.includes(name));
const hasValues = (schema: WireObject): boolean => Object.hasOwn(schema, "const") || Array.isArray(schema.enum);

const read = (schema: WireObject): SchemaNode => {
  const { type, enum: listed, const: only, nullable, ...keywords } = schema;
  const named = typesOf(type, nullable === true);
  const problem: Incomparable | null = type !== undefined && named === null ? "unknown_keyword" : null;
  const values = Object.hasOwn(schema, "const")
    ? [only!]
    : Array.isArray(listed)
      ? (listed as readonly WireValue[])
      : null;
  if (values === null) return { isNothing: false, types: named, values: null, keywords, problem };
  const accepted = values.filter((value) => named === null || named.has(typeOf(value)));
  return {
    isNothing: false,
    types: null,
    values: new Map(accepted.map((value) => [fingerprint(value), value])),
    keywords,
    problem,
  };
};

const typesOf = (type: WireValue | undefined, isNullable: boolean): ReadonlySet<JsonType> | null => {
  const named = typeof type === "string" ? [type] : Array.isArray(type) ? (type as readonly WireValue[]) : null;
  if (named === null || !named.every((name) => typeof name === "string" && types.has(name))) return null;
  const made = new Set(named as readonly JsonType[]);
  if (made.has("number")) made.add("integer");
  if (isNullable) made.add("null");
  return made.size === types.size ? null : made;
};

const typeOf = (value: WireValue): JsonType => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
};
