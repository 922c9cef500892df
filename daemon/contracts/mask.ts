import { argumentPath, locOf, type Segment } from "../../rules/contracts/argument-path.ts";
import { isObject } from "../../wire/fields.ts";
import { setOwn } from "../../wire/own-property.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";

/** Arguments without the values that nobody is shown. */
export interface Masked {
  readonly args: JsonObject;
  /** Where something was left out, as `card.number` or `items[0].iban`. What stands there says nothing. */
  readonly redacted: readonly string[];
}

/** Stands in the place of what is left out. An argument may say so too: `redacted` tells. */
const leftOut = "(redacted)";

/**
 * Leaves out what stands at these paths. Where the arguments are of another shape than a path expects, the value that has the wrong
 * shape is left out whole: it may hold what the path means.
 */
export const mask = (args: JsonObject, paths: readonly string[]): Masked => {
  const segments = paths.map((path) => argumentPath(path, "redact").segments);
  const redacted: string[] = [];
  const masked = walk(args, segments, "", redacted);
  return Object.freeze({ args: isObject(masked) ? masked : {}, redacted: Object.freeze(redacted) });
};

/** `paths` are what is left of those that lead through this value. */
const walk = (value: JsonValue, paths: readonly (readonly Segment[])[], loc: string, redacted: string[]): JsonValue => {
  if (paths.length === 0) return value;
  if (paths.some(([segment]) => segment === undefined || !fits(value, segment))) {
    redacted.push(loc);
    return leftOut;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      walk(item, through(paths, index), locOf(loc, index), redacted),
    );
  }
  const copy: { [key: string]: JsonValue } = {};
  for (const [name, item] of Object.entries(value as JsonObject)) {
    setOwn(copy, name, walk(item, through(paths, name), locOf(loc, name), redacted));
  }
  return copy;
};

const fits = (value: JsonValue, segment: Segment): boolean =>
  "name" in segment ? isObject(value) : Array.isArray(value);

const through = (paths: readonly (readonly Segment[])[], step: string | number): readonly (readonly Segment[])[] =>
  paths.filter(([segment]) => segment !== undefined && leadsTo(segment, step)).map((path) => path.slice(1));

const leadsTo = (segment: Segment, step: string | number): boolean =>
  "name" in segment ? segment.name === step : "each" in segment || segment.index === step;
