import { expect, it } from "vitest";
import { remembered } from "./remembered.ts";

const counting = () => {
  const asked: string[] = [];
  const judge = (name: string): null | false => {
    asked.push(name);
    return name === "a" ? null : false;
  };
  return { asked, ask: remembered(judge) };
};

it("asks once for each name, whatever the answer is", () => {
  const { asked, ask } = counting();
  expect([ask("a"), ask("b"), ask("a"), ask("b")]).toEqual([null, false, null, false]);
  expect(asked).toEqual(["a", "b"]);
});

it("still remembers after more names than are kept, and keeps no longer one than the wire takes", () => {
  const { asked, ask } = counting();
  for (let at = 0; at < 5_000; at++) ask(`made-up-${at}`);
  ask("late");
  ask("late");
  expect(asked.filter((name) => name === "late")).toHaveLength(1);
  const long = "x".repeat(1_025);
  ask(long);
  ask(long);
  expect(asked.filter((name) => name === long)).toHaveLength(2);
});
