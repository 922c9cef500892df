import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Evaluation, table } from "./results/table.ts";
import { suites } from "./suites.ts";

const evaluation = JSON.parse(readFileSync(new URL("evaluation.json", import.meta.url), "utf8")) as Evaluation;
const document = readFileSync(new URL("../../docs/transparency.md", import.meta.url), "utf8");

test("the committed evaluation is of these suites, all of them ran, and nothing failed only with the guard", () => {
  const named = (list: readonly { readonly version: string }[], names: readonly string[]) =>
    list.map(({ version }, at) => `${names[at]} ${version}`).sort();
  expect(
    named(
      evaluation.suites,
      evaluation.suites.map(({ suite }) => suite),
    ),
  ).toEqual(
    named(
      suites,
      suites.map(({ name }) => name),
    ),
  );
  expect(evaluation.not_run).toEqual([]);
  expect(evaluation.suites.flatMap(({ only_guarded }) => only_guarded)).toEqual([]);
});

test("docs/transparency.md shows it as it is, and names commands that there are", () => {
  expect(document).toContain(table(evaluation.suites));
  expect(document).toContain(evaluation.date);
  expect(document).toContain(`Node ${evaluation.node}`);
  const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  for (const [, name = ""] of document.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(scripts)).toContain(name);
});
