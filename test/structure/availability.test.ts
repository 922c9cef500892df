import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}docs/availability.md`, "utf8");

/** Rows of every table: what goes wrong, what happens, and the test as `file`: name. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what"))
  .map((line) => line.slice(2, -2).split(" | "));

describe("docs/availability.md names tests that exist", () => {
  it("has a row for each thing that goes wrong, with its test", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((cells) => cells.length !== 3)).toEqual([]);
  });

  for (const [wrong, , proof] of rows) {
    it(wrong as string, () => {
      const [, file, name] = /^`([^`]+(?:\.test\.ts|\/test_\w+\.py))`: (.+)$/.exec(proof as string) ?? [];
      expect(file, `no test is named in: ${proof}`).toBeDefined();
      expect(readFileSync(`${root}${file}`, "utf8")).toContain(name);
    });
  }
});
