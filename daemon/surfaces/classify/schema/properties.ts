import type { WireObject, WireValue } from "../../../../wire/value.ts";
import { mostRenamed } from "../limits.ts";
import { isObject, own } from "./document.ts";
import type { Place, SchemaFact } from "./fact.ts";
import { fingerprint } from "./fingerprint.ts";

type Compare = (before: WireValue | undefined, after: WireValue | undefined, place: Place) => void;

/** What became of the properties of an object, and of which are required. Those that stayed are handed to `compare`. */
export const propertyFacts = (
  before: WireObject,
  after: WireObject,
  place: Place,
  facts: SchemaFact[],
  compare: Compare,
): void => {
  const [one, other] = [propertiesOf(before), propertiesOf(after)];
  const [needed, neededNow] = [requiredOf(before), requiredOf(after)];
  const at = (field: string): Place => ({ path: `${place.path}.properties.${field}`, field });
  const renamed = renames(one, other, needed, neededNow);
  const goneTo = new Set(renamed.values());
  for (const name of Object.keys(one)) {
    if (Object.hasOwn(other, name)) compare(one[name], other[name], at(name));
    else if (!goneTo.has(name)) facts.push({ ...at(name), kind: "field_removed", isRequired: needed.has(name) });
  }
  for (const name of Object.keys(other)) {
    if (Object.hasOwn(one, name)) continue;
    const from = renamed.get(name);
    const schema = other[name]!;
    if (from === undefined) facts.push({ ...at(name), kind: "field_added", schema, isRequired: neededNow.has(name) });
    else facts.push({ ...at(name), kind: "field_renamed", from, schema });
  }
  for (const name of neededNow)
    if (!needed.has(name) && (Object.hasOwn(one, name) || !Object.hasOwn(other, name)))
      facts.push({ ...at(name), kind: "made_required" });
  for (const name of needed)
    if (!neededNow.has(name) && (Object.hasOwn(other, name) || !Object.hasOwn(one, name)))
      facts.push({ ...at(name), kind: "made_optional" });
};

const none: WireObject = Object.freeze({});

const propertiesOf = (schema: WireObject): WireObject => {
  const properties = own(schema, "properties");
  return isObject(properties) ? properties : none;
};

const requiredOf = (schema: WireObject): ReadonlySet<string> => {
  const required = own(schema, "required");
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
};

/** Names that came, with the one that went for which they stand: of the same schema but for its texts, and of no other. */
const renames = (
  before: WireObject,
  after: WireObject,
  needed: ReadonlySet<string>,
  neededNow: ReadonlySet<string>,
): ReadonlyMap<string, string> => {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const came = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const found = new Map<string, string>();
  if (gone.length === 0 || came.length === 0 || gone.length > mostRenamed || came.length > mostRenamed) return found;
  const byShape = (names: readonly string[], of: WireObject, required: ReadonlySet<string>): Map<string, string[]> => {
    const shapes = new Map<string, string[]>();
    for (const name of names) {
      const shape = `${required.has(name)} ${shapeOf(of[name]!)}`;
      shapes.set(shape, [...(shapes.get(shape) ?? []), name]);
    }
    return shapes;
  };
  const shapes = byShape(gone, before, needed);
  for (const [shape, names] of byShape(came, after, neededNow)) {
    const from = shapes.get(shape);
    if (names.length === 1 && from?.length === 1) found.set(names[0]!, from[0]!);
  }
  return found;
};

const shapeOf = (schema: WireValue): string => {
  if (!isObject(schema)) return fingerprint(schema);
  const { title: _title, description: _description, examples: _examples, default: _default, ...shape } = schema;
  return fingerprint(shape);
};
