import type { JsonObject } from "../value.ts";
import { argumentValues, type Found } from "./argument-values.ts";
import { pathPlace } from "./path-place.ts";
import type { ArgumentCondition, ArgumentTest } from "./policy.ts";

/** `unclear`: of another type than the test is about, or a path that may be read as another. */
export type Outcome = "holds" | "fails" | "absent" | "unclear";

/** An allow needs a yes about everything that is found. */
export const isRight = (args: JsonObject, { steps, test }: ArgumentCondition): boolean =>
  argumentValues(args, steps).every((found) => outcome(found, test) === "holds");

/** A block is not escaped by a value that nobody can judge. */
export const mayBeMeant = (args: JsonObject, { steps, test }: ArgumentCondition): boolean =>
  argumentValues(args, steps).some((found) => {
    const judged = outcome(found, test);
    return judged === "holds" || judged === "unclear";
  });

const outcome = (found: Found, test: ArgumentTest): Outcome => {
  if (found.kind !== "value") return found.kind;
  const { value } = found;
  switch (test.kind) {
    case "prefix":
      return typeof value === "string" ? inDirectories(value, test.directories) : "unclear";
    case "one_of":
      return isOneOf(value, test.values);
    case "number":
      return typeof value === "number" ? inBounds(value, test) : "unclear";
  }
};

const inDirectories = (path: string, directories: readonly string[]): Outcome => {
  const places = directories.map((directory) => pathPlace(path, directory));
  if (places.includes("unclear")) return "unclear";
  return places.includes("inside") ? "holds" : "fails";
};

/** Nothing is converted: `"1"` is no 1, and 1 is no `true`. A value of a type that no listed one has cannot be told apart. */
const isOneOf = (
  value: string | number | boolean | object,
  values: readonly (string | number | boolean)[],
): Outcome => {
  if (values.some((listed) => listed === value)) return "holds";
  return values.some((listed) => typeof listed === typeof value) ? "fails" : "unclear";
};

const inBounds = (value: number, { min, max, integer }: Extract<ArgumentTest, { kind: "number" }>): Outcome => {
  if (integer && !Number.isSafeInteger(value)) return "fails";
  return (min === null || value >= min) && (max === null || value <= max) ? "holds" : "fails";
};
