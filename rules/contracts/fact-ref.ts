import type { Bounds, FactRef } from "./tool.ts";

export const isFactRef = (value: unknown): value is FactRef =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every fact that bounds rest on. */
export const factsOf = (bounds: Bounds): readonly FactRef[] =>
  Object.values(bounds).flatMap((terms) => Object.values(terms).filter(isFactRef));
