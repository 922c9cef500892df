import type { JsonObject, JsonValue } from "../../wire/value.ts";
import type { ArgumentPath } from "./argument-path.ts";

/** What an advertised schema says of a path. */
export interface Place {
  /** The schema that stands there alone; null where it is one of several forms. */
  readonly node: JsonObject | null;
  /** Whoever calls must give it: every step on the way is required. */
  readonly isRequired: boolean;
}

/** Null where no arguments that satisfy the schema have anything there. */
export const placeOf = (root: JsonObject, path: ArgumentPath): Place | null => {
  let place: Place = { node: root, isRequired: true };
  for (const segment of path.segments) {
    const { node } = place;
    if (node === null) return { node: null, isRequired: false };
    const at = followed(root, node);
    if (at === null) return { node: null, isRequired: false };
    if ("name" in segment) {
      const inner = member(at.properties, segment.name);
      if (inner === null) {
        // A record names no keys of its own.
        if (!isObject(at.additionalProperties)) return null;
        place = { node: at.additionalProperties, isRequired: false };
        continue;
      }
      const isRequired = Array.isArray(at.required) && (at.required as readonly JsonValue[]).includes(segment.name);
      place = { node: inner, isRequired: place.isRequired && isRequired };
    } else {
      if (!isObject(at.items)) return Array.isArray(at.prefixItems) ? { node: null, isRequired: false } : null;
      place = { node: at.items, isRequired: place.isRequired && "each" in segment };
    }
  }
  return place;
};

/** A reference is followed; a choice of forms is not looked into. */
const followed = (root: JsonObject, node: JsonObject): JsonObject | null => {
  let at = node;
  for (let hops = 0; typeof at.$ref === "string"; hops++) {
    const target = /^#\/\$defs\/([^/]+)$/.exec(at.$ref)?.[1];
    const next = target === undefined ? (at.$ref === "#" ? root : null) : member(root.$defs, target);
    if (next === null || hops > 8) return null;
    at = next;
  }
  return at.anyOf === undefined && at.oneOf === undefined && at.allOf === undefined ? at : null;
};

const member = (of: JsonValue | undefined, name: string): JsonObject | null => {
  const inner = isObject(of) && Object.hasOwn(of, name) ? of[name] : undefined;
  return isObject(inner) ? inner : null;
};

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
