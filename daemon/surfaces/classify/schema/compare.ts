import type { WireObject, WireValue } from "../../../../wire/value.ts";
import type { SchemaRelation } from "../../finding.ts";
import { deepestSchema, mostFacts, mostPairedMembers, mostSchemaNodes } from "../limits.ts";
import { boundChanges, boundKeywords } from "./bounds.ts";
import { isObject, own, SchemaDocument } from "./document.ts";
import type { Incomparable, Place, SchemaFact } from "./fact.ts";
import { fingerprint, isEqual, isSame } from "./fingerprint.ts";
import { annotations, type JsonType, nodesOf, type SchemaNode } from "./node.ts";
import { propertyFacts } from "./properties.ts";

/**
 * What differs between two JSON Schemas (2020-12, and what draft-07 writes otherwise), keyword by keyword: for each whether more is
 * accepted, less, or something else. References inside of the document are followed, circles end where they close, nothing is fetched.
 * Linear in the nodes that are reached; what is beyond the limits is a fact of its own.
 */
export const compareSchemas = (
  before: WireValue | undefined,
  after: WireValue | undefined,
  path: string,
): readonly SchemaFact[] => {
  if (isTooLarge(before) || isTooLarge(after))
    return isEqual(before, after) ? [] : [{ path, field: "", kind: "incomparable", why: "too_large" }];
  if (isSame(before, after)) return [];
  const comparison = new Comparison(new SchemaDocument(before ?? {}), new SchemaDocument(after ?? {}));
  comparison.compare(before, after, { path, field: "" }, 1, 0);
  return comparison.facts;
};

/** Counted before anything else looks at it. */
const isTooLarge = (schema: WireValue | undefined): boolean => {
  let left = mostSchemaNodes * 4;
  const count = (value: WireValue | undefined, depth: number): void => {
    if (--left < 0 || typeof value !== "object" || value === null) return;
    if (depth > deepestSchema * 4) left = -1;
    else for (const inner of Object.values(value)) count(inner as WireValue, depth + 1);
  };
  count(schema, 0);
  return left < 0;
};

/** What a change inside means for the whole: the same, the opposite (`not`), or nothing that can be said (`if`). */
type Sense = 1 | -1 | 0;

const inSense = (relation: SchemaRelation, sense: Sense): SchemaRelation => {
  if (relation === "same" || sense === 1) return relation;
  if (sense === 0 || relation === "incomparable") return "incomparable";
  return relation === "widened" ? "narrowed" : "widened";
};

/** Subschemas that accept everything where they are left out. */
const subschemas: readonly (readonly [keyword: string, sense: Sense])[] = [
  ["additionalProperties", 1],
  ["unevaluatedProperties", 1],
  ["propertyNames", 1],
  ["items", 1],
  ["additionalItems", 1],
  ["unevaluatedItems", 1],
  ["contains", 1],
  ["contentSchema", 1],
  ["not", -1],
  ["if", 0],
  ["then", 1],
  ["else", 1],
];

const lists: readonly (readonly [keyword: string, added: SchemaRelation])[] = [
  ["allOf", "narrowed"],
  ["anyOf", "widened"],
  ["oneOf", "widened"],
];

const known: ReadonlySet<string> = new Set([
  ...annotations,
  ...boundKeywords,
  ...subschemas.map(([keyword]) => keyword),
  ...lists.map(([keyword]) => keyword),
  ...[
    "properties",
    "required",
    "patternProperties",
    "prefixItems",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
]);

class Comparison {
  readonly facts: SchemaFact[] = [];
  readonly #before: SchemaDocument;
  readonly #after: SchemaDocument;
  /** Pairs that were compared, by the field they were compared for: a circle of references ends here. */
  readonly #seen = new WeakMap<object, WeakMap<object, Set<string>>>();
  #left = mostSchemaNodes;

  constructor(before: SchemaDocument, after: SchemaDocument) {
    this.#before = before;
    this.#after = after;
  }

  compare(
    before: WireValue | undefined,
    after: WireValue | undefined,
    place: Place,
    sense: Sense,
    depth: number,
  ): void {
    if (this.#isKnown(before, after, place.field)) return;
    if (this.#left-- <= 0 || depth > deepestSchema || this.facts.length >= mostFacts) {
      this.#cannot(place, "too_large");
      return;
    }
    const [one, other] = nodesOf(before, this.#before, after, this.#after);
    this.#default(before, after, place);
    const problem = other.problem ?? one.problem;
    if (problem !== null) {
      if (!isSame(before, after)) this.#cannot(place, problem);
      return;
    }
    if (one.isNothing || other.isNothing) {
      if (one.isNothing !== other.isNothing)
        this.#bound(place, "type", inSense(one.isNothing ? "widened" : "narrowed", sense), before, after);
      return;
    }
    this.#types(one, other, place, sense);
    this.#values(one, other, place, sense);
    this.#keywords(one.keywords, other.keywords, place, sense, depth, isInteger(one) && isInteger(other));
  }

  #isKnown(before: WireValue | undefined, after: WireValue | undefined, field: string): boolean {
    if (!isObject(before) || !isObject(after)) return false;
    const row = this.#seen.get(before) ?? new WeakMap<object, Set<string>>();
    const fields = row.get(after) ?? new Set<string>();
    this.#seen.set(before, row);
    row.set(after, fields);
    if (fields.has(field)) return true;
    fields.add(field);
    return false;
  }

  #cannot(place: Place, why: Incomparable): void {
    if (this.facts.length <= mostFacts) this.facts.push({ ...place, kind: "incomparable", why });
  }

  #bound(
    place: Place,
    keyword: string,
    relation: SchemaRelation,
    before: WireValue | undefined,
    after: WireValue | undefined,
  ): void {
    if (relation !== "same") this.facts.push({ ...place, kind: "bound", keyword, relation, before, after });
  }

  #default(before: WireValue | undefined, after: WireValue | undefined, place: Place): void {
    const [one, other] = [before, after].map((schema) => (isObject(schema) ? own(schema, "default") : undefined));
    if (!isSame(one, other)) this.facts.push({ ...place, kind: "default", before: one, after: other });
  }

  #types(one: SchemaNode, other: SchemaNode, place: Place, sense: Sense): void {
    if (one.values !== null || other.values !== null) return;
    const relation = inSense(setRelation(one.types, other.types), sense);
    if (relation !== "same") this.facts.push({ ...place, kind: "type", relation });
  }

  #values(one: SchemaNode, other: SchemaNode, place: Place, sense: Sense): void {
    if (one.values === null && other.values === null) return;
    const relation = inSense(setRelation(keysOf(one.values), keysOf(other.values)), sense);
    if (relation === "same") return;
    const added =
      other.values === null
        ? null
        : [...other.values].flatMap(([key, value]) => (one.values?.has(key) === false ? [value] : []));
    this.facts.push({ ...place, kind: "values", relation, added });
  }

  #keywords(
    one: WireObject,
    other: WireObject,
    place: Place,
    sense: Sense,
    depth: number,
    isOfIntegers: boolean,
  ): void {
    const [before, after] = [tupled(one), tupled(other)];
    for (const change of boundChanges(before, after, isOfIntegers))
      this.facts.push({ ...place, kind: "bound", ...change, relation: inSense(change.relation, sense) });
    for (const [keyword, inner] of subschemas)
      this.#subschema(before, after, keyword, place, (sense * inner) as Sense, depth);
    for (const [keyword, added] of lists) this.#members(before, after, keyword, added, place, sense, depth);
    this.#tuple(before, after, place, sense, depth);
    this.#named(before, after, "patternProperties", place, sense, depth);
    for (const keyword of ["dependentSchemas", "dependentRequired", "dependencies"])
      this.#demands(own(before, keyword), own(after, keyword), keyword, place, sense);
    propertyFacts(before, after, place, this.facts, (inner, schema, at) =>
      this.compare(inner, schema, at, sense, depth + 1),
    );
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!known.has(name) && !isSame(own(before, name), own(after, name)))
        this.#cannot({ ...place, path: `${place.path}.${name}` }, "unknown_keyword");
  }

  #subschema(before: WireObject, after: WireObject, keyword: string, place: Place, sense: Sense, depth: number): void {
    const [one, other] = [own(before, keyword), own(after, keyword)];
    if (one === other) return;
    if (isObject(one) && isObject(other)) {
      this.compare(one, other, { ...place, path: `${place.path}.${keyword}` }, sense, depth + 1);
      return;
    }
    // Left out, `true` and `{}` are one; the other may be anything.
    const [isOpen, isOpenNow] = [acceptsAll(one), acceptsAll(other)];
    if (isOpen && isOpenNow) return;
    const relation = isOpenNow || one === false ? "widened" : isOpen || other === false ? "narrowed" : "incomparable";
    this.#bound(place, keyword, inSense(relation, sense), one, other);
  }

  /** Members are paired by what they are, and what is left in its order. */
  #members(
    before: WireObject,
    after: WireObject,
    keyword: string,
    added: SchemaRelation,
    place: Place,
    sense: Sense,
    depth: number,
  ): void {
    const [one, other] = [listOf(own(before, keyword)), listOf(own(after, keyword))];
    if (one.length === 0 && other.length === 0) return;
    const path = `${place.path}.${keyword}`;
    if (one.length > mostPairedMembers || other.length > mostPairedMembers) {
      if (!isSame(one, other)) this.#cannot({ ...place, path }, "too_large");
      // References may lead elsewhere than before though the members are the same.
      return;
    }
    // No members at all: everything is accepted, whichever combinator it is.
    if (one.length === 0 || other.length === 0) {
      this.#bound(
        { ...place, path },
        keyword,
        inSense(one.length === 0 ? "narrowed" : "widened", sense),
        undefined,
        other,
      );
      return;
    }
    const places = new Map<string, number[]>();
    for (const [index, member] of other.entries())
      places.set(fingerprint(member), [...(places.get(fingerprint(member)) ?? []), index]);
    const taken = new Set<number>();
    const gone: WireValue[] = [];
    for (const member of one) {
      const at = places.get(fingerprint(member))?.shift();
      if (at === undefined) {
        gone.push(member);
        continue;
      }
      taken.add(at);
      this.compare(member, other[at], { ...place, path: `${path}[${at}]` }, sense, depth + 1);
    }
    const came = [...other.entries()].filter(([index]) => !taken.has(index));
    for (let at = 0; at < Math.max(gone.length, came.length); at++) {
      const [index, member] = came[at] ?? [one.length, undefined];
      const where = { ...place, path: `${path}[${index}]` };
      if (gone[at] !== undefined && member !== undefined) this.compare(gone[at], member, where, sense, depth + 1);
      else
        this.#bound(where, keyword, inSense(member === undefined ? opposite(added) : added, sense), gone[at], member);
    }
  }

  #tuple(before: WireObject, after: WireObject, place: Place, sense: Sense, depth: number): void {
    const [one, other] = [listOf(own(before, "prefixItems")), listOf(own(after, "prefixItems"))];
    for (let at = 0; at < Math.max(one.length, other.length); at++) {
      const where = { ...place, path: `${place.path}.prefixItems[${at}]` };
      this.compare(one[at], other[at], where, sense, depth + 1);
    }
  }

  #named(before: WireObject, after: WireObject, keyword: string, place: Place, sense: Sense, depth: number): void {
    const [one, other] = [own(before, keyword), own(after, keyword)].map((value) => (isObject(value) ? value : {}));
    for (const name of new Set([...Object.keys(one!), ...Object.keys(other!)])) {
      const where = { ...place, path: `${place.path}.${keyword}.${name}` };
      this.compare(own(one!, name), own(other!, name), where, sense, depth + 1);
    }
  }

  #demands(
    one: WireValue | undefined,
    other: WireValue | undefined,
    keyword: string,
    place: Place,
    sense: Sense,
  ): void {
    if (isSame(one, other)) return;
    const relation = one === undefined ? "narrowed" : other === undefined ? "widened" : "incomparable";
    this.#bound(place, keyword, inSense(relation, sense), one, other);
  }
}

const acceptsAll = (schema: WireValue | undefined): boolean =>
  schema === undefined ||
  schema === true ||
  (isObject(schema) && Object.keys(schema).every((name) => annotations.has(name)));

const listOf = (value: WireValue | undefined): readonly WireValue[] => (Array.isArray(value) ? value : []);

const opposite = (relation: SchemaRelation): SchemaRelation => (relation === "widened" ? "narrowed" : "widened");

/** Tuples of draft-07 (`items` is a list) as 2020-12 writes them. */
const tupled = (keywords: WireObject): WireObject => {
  if (!Array.isArray(keywords.items)) return keywords;
  const { items, additionalItems, ...rest } = keywords;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
};

const isInteger = ({ types }: SchemaNode): boolean => types?.has("integer") === true && !types.has("number");

const keysOf = (values: ReadonlyMap<string, WireValue> | null): ReadonlySet<string> | null =>
  values === null ? null : new Set(values.keys());

/** Null: everything. */
const setRelation = (
  before: ReadonlySet<string | JsonType> | null,
  after: ReadonlySet<string | JsonType> | null,
): SchemaRelation => {
  if (before === null || after === null) return before === after ? "same" : before === null ? "narrowed" : "widened";
  const hasLost = [...before].some((member) => !after.has(member));
  const hasWon = [...after].some((member) => !before.has(member));
  if (hasLost && hasWon) return "incomparable";
  return hasWon ? "widened" : hasLost ? "narrowed" : "same";
};
