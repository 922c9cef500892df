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

/** Processor time in milliseconds, the least of several runs: others work on the machine too. */
const least = (runs: number, run: () => void): number =>
  Math.min(
    ...Array.from({ length: runs }, () => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }),
  );

/** Ten million steps of arithmetic, on the machine that the limits are for. */
const usualLoop_ms = 11;
/** How much slower this core is now; 1 where it is not. */
const slowness = (): number => {
  const loop_ms = least(5, () => {
    let sum = 0;
    for (let at = 0; at < 10_000_000; at++) sum = (sum * 31 + at) | 0;
    return sum;
  });
  return Math.max(1, loop_ms / usualLoop_ms);
};

describe("classifying a thousand tools", () => {
  const before = thousand((tool) => tool);

  it("takes less than 20 ms where none changed", () => {
    const same = thousand((tool) => tool);
    expect(least(5, () => classifySurface(before, same, []))).toBeLessThan(20 * slowness());
  });

  it("takes less than a second where each has another description", () => {
    const changed = thousand((tool, at) => ({
      ...tool,
      description: `${String(tool.description)} Number ${at} of the list.`,
    }));
    expect(classifySurface(before, changed, []).items.length).toBe(1_000);
    expect(least(5, () => classifySurface(before, changed, []))).toBeLessThan(1_000 * slowness());
  });
});
