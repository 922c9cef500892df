import type { WireObject, WireValue } from "../../../../wire/value.ts";
import type { SchemaRelation } from "../../finding.ts";
import { own } from "./document.ts";
import { isSame } from "./fingerprint.ts";

/** A bound of one node that changed. */
export interface BoundChange {
  readonly keyword: string;
  readonly relation: SchemaRelation;
  readonly before: WireValue | undefined;
  readonly after: WireValue | undefined;
}

/** The keywords that this file compares. */
export const boundKeywords: ReadonlySet<string> = new Set([
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"],
  ...["multipleOf", "uniqueItems", "pattern", "format", "contentEncoding", "contentMediaType"],
]);

const numberOf = (schema: WireObject, name: string): number | null => {
  const value = own(schema, name);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
};

/** A limit that every number of JSON is below is none; converters write it for each integer. */
const largest = Number.MAX_SAFE_INTEGER;

interface Limit {
  readonly value: number;
  readonly isOpen: boolean;
}

/** The stricter of the two ways to write a limit; `direction` 1 for an upper one, -1 for a lower. */
const limitOf = (
  schema: WireObject,
  closed: string,
  open: string,
  direction: 1 | -1,
  isInteger: boolean,
): Limit | null => {
  const within = numberOf(schema, closed);
  const beyond = numberOf(schema, open);
  const isOldForm = own(schema, open) === true;
  const limits: Limit[] = [];
  if (within !== null) limits.push({ value: within, isOpen: isOldForm });
  if (beyond !== null) limits.push({ value: beyond, isOpen: true });
  const read = limits
    .map((limit) =>
      isInteger && limit.isOpen ? { value: Math.ceil(limit.value * direction - 1) * direction, isOpen: false } : limit,
    )
    .sort((one, other) => (one.value - other.value) * direction || Number(other.isOpen) - Number(one.isOpen))[0];
  return read === undefined || read.value * direction >= largest ? null : read;
};

const relationOf = (before: Limit | null, after: Limit | null, direction: 1 | -1): SchemaRelation => {
  if (before === null || after === null) return before === after ? "same" : before === null ? "narrowed" : "widened";
  const distance = (after.value - before.value) * direction;
  if (distance !== 0) return distance > 0 ? "widened" : "narrowed";
  return before.isOpen === after.isOpen ? "same" : before.isOpen ? "widened" : "narrowed";
};

const counts = [
  ["maxLength", 1, null],
  ["maxItems", 1, null],
  ["maxProperties", 1, null],
  ["maxContains", 1, null],
  ["minLength", -1, 0],
  ["minItems", -1, 0],
  ["minProperties", -1, 0],
  ["minContains", -1, 1],
] as const;

const texts = ["pattern", "format", "contentEncoding", "contentMediaType"] as const;

/** Every bound that accepts more, less or other than before. */
export const boundChanges = (before: WireObject, after: WireObject, isInteger: boolean): readonly BoundChange[] => {
  const changes: BoundChange[] = [];
  const add = (keyword: string, relation: SchemaRelation): void => {
    if (relation !== "same")
      changes.push({ keyword, relation, before: own(before, keyword), after: own(after, keyword) });
  };
  for (const [closed, open, direction] of [
    ["maximum", "exclusiveMaximum", 1],
    ["minimum", "exclusiveMinimum", -1],
  ] as const) {
    const one = limitOf(before, closed, open, direction, isInteger);
    const other = limitOf(after, closed, open, direction, isInteger);
    const relation = relationOf(one, other, direction);
    if (relation !== "same")
      changes.push({ keyword: closed, relation, before: one?.value ?? undefined, after: other?.value ?? undefined });
  }
  for (const [keyword, direction, absent] of counts) {
    const limit = (schema: WireObject): Limit | null => {
      const value = numberOf(schema, keyword) ?? absent;
      return value === null ? null : { value, isOpen: false };
    };
    add(keyword, relationOf(limit(before), limit(after), direction));
  }
  for (const keyword of texts) {
    const [one, other] = [own(before, keyword), own(after, keyword)];
    if (isSame(one, other)) continue;
    add(keyword, one === undefined ? "narrowed" : other === undefined ? "widened" : "incomparable");
  }
  const [one, other] = [own(before, "uniqueItems") === true, own(after, "uniqueItems") === true];
  if (one !== other) add("uniqueItems", one ? "widened" : "narrowed");
  add("multipleOf", stepRelation(numberOf(before, "multipleOf"), numberOf(after, "multipleOf")));
  return changes;
};

const stepRelation = (before: number | null, after: number | null): SchemaRelation => {
  if (before === after) return "same";
  if (before === null) return "narrowed";
  if (after === null) return "widened";
  if (isMultiple(after, before)) return "narrowed";
  return isMultiple(before, after) ? "widened" : "incomparable";
};

const isMultiple = (value: number, step: number): boolean => {
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
};
