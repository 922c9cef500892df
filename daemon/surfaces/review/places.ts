import { isObject } from "../../../wire/fields.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";

/** One place of a definition on both sides, as JSON text; null where there is none. */
export interface ChangedPlace {
  /** `inputSchema.properties.to.enum`; a member whose name is no word stands in brackets, quoted. */
  readonly path: string;
  readonly approved: string | null;
  readonly observed: string | null;
}

export interface ComparedDefinitions {
  readonly changed: readonly ChangedPlace[];
  /** Places that are as they were. */
  readonly same: number;
}

/** Two definitions, place by place, in the order of what is there now. A list of texts and numbers is one place. */
export const comparePlaces = (approved: JsonObject | null, observed: JsonObject | null): ComparedDefinitions => {
  const before = placesOf(approved);
  const after = placesOf(observed);
  const paths = [...after.keys(), ...[...before.keys()].filter((path) => !after.has(path))];
  const changed = paths
    .map((path) => ({ path, approved: before.get(path) ?? null, observed: after.get(path) ?? null }))
    .filter((place) => place.approved !== place.observed);
  return { changed, same: paths.length - changed.length };
};

const placesOf = (definition: JsonObject | null): ReadonlyMap<string, string> => {
  const places = new Map<string, string>();
  if (definition !== null) note(definition, "", places);
  return places;
};

const note = (value: JsonValue, path: string, places: Map<string, string>): void => {
  if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
    for (const [at, item] of (value as readonly JsonValue[]).entries()) note(item, `${path}[${at}]`, places);
    return;
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    for (const [name, member] of Object.entries(value)) note(member, memberPath(path, name), places);
    return;
  }
  places.set(
    path,
    Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value),
  );
};

const memberPath = (path: string, name: string): string => {
  if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
};
