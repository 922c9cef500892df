import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { isAsynchronous, learnAsynchronous } from "../engine/asynchronous.ts";
import { Resumptions } from "./resumptions.ts";

/** Notes whose turn it is, as the watchdog would be told. */
const watched = () => {
  let running: string | null = null;
  return {
    turn: (name: string) => ({
      enter: () => {
        running = name;
      },
      leave: () => {
        running = null;
      },
    }),
    running: () => running,
  };
};

test("every resumption of a rule has its name on it, and what is not a rule has none", async () => {
  const { turn, running } = watched();
  const resumptions = new Resumptions();
  const seen: (string | null)[] = [];
  const rule = async (): Promise<void> => {
    await null;
    seen.push(running());
    await after(1);
    seen.push(running());
    await Promise.all([1, 2].map(async (x) => await x));
    seen.push(running());
    await (async () => {
      await null;
      seen.push(running());
    })();
  };
  const settled = resumptions.run(turn("a"), rule);
  const bystander = (async () => {
    await null;
    const before = running();
    await after(0);
    return [before, running()];
  })();
  await settled;
  resumptions.decided();
  expect(seen).toEqual(["a", "a", "a", "a"]);
  expect(await bystander).toEqual([null, null]);
});

test("two rules that wait at the same time are told apart", async () => {
  const { turn, running } = watched();
  const resumptions = new Resumptions();
  const seen: (string | null)[] = [];
  const rule = async (delay_ms: number): Promise<void> => {
    for (let times = 0; times < 3; times++) {
      await after(delay_ms);
      seen.push(running());
    }
  };
  const both = [resumptions.run(turn("a"), () => rule(2)), resumptions.run(turn("b"), () => rule(3))];
  await Promise.all(both);
  resumptions.decided();
  resumptions.decided();
  expect(seen.toSorted()).toEqual(["a", "a", "a", "b", "b", "b"]);
});

test("once nobody is undecided nothing is watched", async () => {
  const { turn, running } = watched();
  const resumptions = new Resumptions();
  let seen: string | null = "nothing";
  const late = resumptions.run(turn("a"), async () => {
    await after(5);
    seen = running();
  });
  resumptions.decided();
  await late;
  expect(seen).toBeNull();
});

test("an async function is known to go on, another is learned to", () => {
  const plain = () => Promise.resolve();
  expect(isAsynchronous(async () => undefined)).toBe(true);
  expect(isAsynchronous(plain)).toBe(false);
  learnAsynchronous(plain);
  expect(isAsynchronous(plain)).toBe(true);
});
