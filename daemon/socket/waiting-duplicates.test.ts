import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AskedQuestion } from "./asked-question.ts";
import { WaitingDuplicates } from "./waiting-duplicates.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const question = {} as AskedQuestion;

test("whoever waits looks again now and then, and is woken when the call that it waits for ends", () => {
  const waiting = new WaitingDuplicates();
  let woken = 0;
  const wait = (): void => waiting.wait("tx", 10_000, question, () => woken++);
  wait();
  vi.advanceTimersByTime(1_000);
  expect([woken, waiting.size]).toEqual([1, 0]);
  wait();
  waiting.ended("other");
  expect(woken).toBe(1);
  waiting.ended("tx");
  expect([woken, waiting.size]).toEqual([2, 0]);
});

test("five hundred that wait look again less than a thousand times a second together, not two thousand", () => {
  const waiting = new WaitingDuplicates();
  let looks = 0;
  const wait = (): void =>
    waiting.wait("tx", 60_000, question, () => {
      looks++;
      wait();
    });
  for (let at = 0; at < 500; at++) wait();
  vi.advanceTimersByTime(3_000);
  expect(looks).toBeLessThan(3_000);
  expect(waiting.size).toBe(500);
});

test("once the daemon stops whoever waits is woken, and nobody waits any more", () => {
  const waiting = new WaitingDuplicates();
  let woken = 0;
  for (const id of ["tx1", "tx2"]) waiting.wait(id, 60_000, question, () => woken++);
  waiting.close();
  expect([woken, waiting.isOpen]).toEqual([2, false]);
  waiting.wait("tx1", 60_000, question, () => woken++);
  vi.advanceTimersByTime(1);
  expect([woken, waiting.size]).toEqual([3, 0]);
});
