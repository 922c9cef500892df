import { expect, it } from "vitest";
import { type Evaluation, evaluate, lineOf, scoreOf } from "./evaluate.ts";

let evaluation: Evaluation;

it("every tampering is found and named, by both verifiers alike", async () => {
  evaluation = await evaluate();
  expect(evaluation.results.filter(({ detected, agree }) => !detected || !agree).map(lineOf)).toEqual([]);
  const { total, detected, verifiers_agree } = scoreOf(evaluation);
  expect({ detected, verifiers_agree }).toEqual({ detected: total, verifiers_agree: true });
  expect(total).toBeGreaterThanOrEqual(45);
}, 600_000); // Three processes for each, beside whatever else the machine does.

it("what nobody altered is whole to everybody", () => {
  const { store, exported, python } = evaluation.unaltered;
  expect([store, exported, python]).toEqual(["whole", "whole", "whole"]);
});

it("a history with right hashes is found by what was signed, and by nothing else", () => {
  const problemOf = (name: string): unknown => {
    const said = evaluation.results.find((result) => result.name === name)?.store;
    return typeof said === "object" ? said?.problem : said;
  };
  expect(problemOf("a verdict is turned and all after it made right")).toBe("checkpoint_mismatch");
  expect(problemOf("all is written anew, and signed by another key")).toBe("checkpoint_unknown_key");
  expect(problemOf("the newest receipts are cut off, and their checkpoints")).toBe("truncated");
  expect(problemOf("a copy that went its own way is put in")).toBe("checkpoint_mismatch");
});
