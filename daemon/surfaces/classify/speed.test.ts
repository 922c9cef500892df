import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { loadPairs } from "../../../test/drift/pairs.ts";
import type { JsonObject } from "../../../wire/value.ts";
import type { Surface } from "../surface.ts";
import { classifySurface } from "./index.ts";
import { surfaceOf, toolOf } from "./testing.ts";

/** A thousand tools as published servers define them. */
const published = loadPairs()
  .filter(({ source }) => source !== null)
  .flatMap(({ after }) =>
    after.items.filter(({ kind }) => kind === "tool").map(({ definition }) => definition as JsonObject),
  );
const thousand = (change: (tool: JsonObject, at: number) => JsonObject): Surface =>
  surfaceOf(
    Array.from({ length: 1_000 }, (_, at) => {
      const tool = published[at % published.length]!;
      return toolOf(change({ ...tool, name: `${String(tool.name)}_${at}` }, at));
    }),
  );

/** The middle one of several runs in milliseconds: others work on the machine too. */
const median = (runs: number, run: () => void): number => {
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return times.sort((one, other) => one - other)[runs >> 1]!;
};

describe("classifying a thousand tools", () => {
  const before = thousand((tool) => tool);

  it("takes less than 20 ms where none changed", () => {
    const same = thousand((tool) => tool);
    expect(median(5, () => classifySurface(before, same, []))).toBeLessThan(20);
  });

  it("takes less than a second where each has another description", () => {
    const changed = thousand((tool, at) => ({
      ...tool,
      description: `${String(tool.description)} Number ${at} of the list.`,
    }));
    expect(classifySurface(before, changed, []).items.length).toBe(1_000);
    expect(median(5, () => classifySurface(before, changed, []))).toBeLessThan(1_000);
  });
});
