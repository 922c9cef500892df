import { expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";
import { lineOf, type Result, scoreOf } from "./score.ts";

let results: readonly Result[] = [];

it("no attack gets out that is not declared", async () => {
  results = await evaluate();
  const open = results.filter(({ verdict }) => verdict === "open");
  expect(open.map((result) => `${lineOf(result)}\n${result.said}`)).toEqual([]);
}, 900_000); // Some 500 attacks, two processes each, beside whatever else the machine does.

it("there are attacks of each kind, and most of them are blocked", () => {
  const { total, blocked, declared, open } = scoreOf(results);
  expect(open).toBe(0);
  expect(blocked + declared).toBe(total);
  expect(total).toBeGreaterThanOrEqual(400);
  expect(declared).toBeLessThan(total / 20);
  for (const target of ["read", "run", "reach"]) {
    const of = results.filter(({ attack, verdict }) => attack.target === target && verdict === "blocked");
    expect(of.length).toBeGreaterThan(50);
  }
});

it("an attack that names a limit shows one: it is not blocked", () => {
  const blocked = results.filter(({ attack, verdict }) => attack.limit !== null && verdict === "blocked");
  expect(blocked.map(({ attack }) => attack.name)).toEqual([]);
});
