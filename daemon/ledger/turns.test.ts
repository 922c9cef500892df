import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("whoever answers at once is answered at once", () => {
  const turns = new Turns();
  expect([turns.take(() => 1), turns.take(() => 2)]).toEqual([1, 2]);
});

test("one that answers later is over before the next begins, whether it succeeds or fails, and then nobody waits", async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const slow =
    (name: string, fails = false) =>
    async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = [
    turns.take(slow("a")),
    turns.take(slow("b", true)),
    turns.take(() => seen.push("c")),
    turns.take(slow("d")),
  ];
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c", "d begins", "d ends"]);
  expect(turns.take(() => "at once")).toBe("at once");
});
