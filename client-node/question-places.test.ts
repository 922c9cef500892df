import fc from "fast-check";
import { expect, test } from "vitest";
import { noFeatures } from "../wire/features.ts";
import { maxInFlightRequests } from "../wire/limits.ts";
import { Absence, connectFailure } from "./absence.ts";
import { DeadlineQueue } from "./deadline-queue.ts";
import { Decision } from "./decision.ts";
import { Tally } from "./engine-stats.ts";
import { maxOverdueAnswers, maxWaitingChars, maxWaitingQuestions } from "./limits.ts";
import { PendingAnswers } from "./pending-answers.ts";
import { Question } from "./question.ts";
import { Settlement } from "./settlement.ts";
import { pause } from "./testing/asking.ts";
import { socketPath } from "./testing/scripted-daemon.ts";
import { WaitingLine } from "./waiting-line.ts";

const question = (id: string, deadline_ms = Number.POSITIVE_INFINITY, frame = "{}\n"): Question =>
  new Question(
    id,
    "a",
    "call",
    null,
    frame,
    noFeatures,
    deadline_ms,
    () => {},
    () => {},
  );

test("the waiting line keeps the order, whatever is settled in between", () => {
  const step = fc.constantFrom("push", "shift", "settle", "putBack");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const line = new WaitingLine();
      const settlement = new Settlement(
        new Tally(),
        line,
        new DeadlineQueue(
          () => 0,
          () => {},
        ),
        () => {},
      );
      let model: Question[] = [];
      let taken: Question[] = [];
      let count = 0;
      for (const name of steps) {
        if (name === "push") {
          const next = question(`q${++count}`);
          settlement.opened();
          line.push(next);
          model.push(next);
        } else if (name === "shift") {
          const next = line.shift();
          expect(next).toBe(model.shift() ?? null);
          if (next !== null) taken.push(next);
        } else if (name === "settle" && model.length > 0) {
          settlement.block(model.shift() as Question, "x");
        } else if (name === "putBack") {
          line.putBack(taken);
          model = [...taken, ...model];
          taken = [];
        }
        expect(line.size).toBe(model.length);
      }
      while (model.length > 0) expect(line.shift()).toBe(model.shift());
      expect(line.shift()).toBeNull();
    }),
  );
});

test("the waiting line is full by number, and by size", () => {
  const many = new WaitingLine();
  for (let i = 0; i < maxWaitingQuestions; i++) {
    expect(many.isFull).toBe(false);
    many.push(question(`q${i}`));
  }
  expect(many.isFull).toBe(true);
  const large = new WaitingLine();
  large.push(question("q", Number.POSITIVE_INFINITY, "x".repeat(maxWaitingChars)));
  expect(large.isFull).toBe(true);
  large.shift();
  expect(large.isFull).toBe(false);
});

test("a question is settled once", () => {
  const answers: string[] = [];
  const line = new WaitingLine();
  const tally = new Tally();
  const settlement = new Settlement(
    tally,
    line,
    new DeadlineQueue(
      () => 0,
      () => {},
    ),
    () => answers.push("idle"),
  );
  const one = new Question(
    "q",
    "a",
    "call",
    null,
    "{}\n",
    noFeatures,
    1,
    () => answers.push("allowed"),
    () => answers.push("blocked"),
  );
  settlement.opened();
  line.push(one);
  settlement.block(one, "first");
  settlement.fallBack(one, Decision.allow("second"));
  settlement.block(one, "third");
  expect(answers).toEqual(["idle", "blocked"]);
  expect(tally).toMatchObject({ unanswered: 1, fallbacks: 0 });
});

test("deadlines come due in order under one timer, and what was removed does not", async () => {
  const due: string[] = [];
  const start = performance.now();
  const queue = new DeadlineQueue(
    () => performance.now(),
    ({ id }) => due.push(id),
  );
  const all = [10, 20, 30, 40].map((ms) => question(`q${ms}`, start + ms));
  for (const one of all) queue.add(one);
  queue.add(question("never"));
  queue.remove(all[0] as Question);
  queue.remove(all[2] as Question);
  queue.remove(all[2] as Question);
  await pause(80);
  expect(due).toEqual(["q20", "q40"]);
  queue.add(question("q", performance.now() + 10));
  await pause(40);
  expect(due).toEqual(["q20", "q40", "q"]);
});

test("an id is owed one answer, also when it is late", () => {
  const pending = new PendingAnswers();
  const one = question("q1");
  pending.add(one);
  expect(pending.take("q2")).toBeNull();
  expect(pending.take("q1")).toBe(one);
  expect(pending.take("q1")).toBeNull();
  pending.add(one);
  expect(pending.expire(one)).toBe(true);
  expect(pending.size).toBe(0);
  expect(pending.isOwedNothing).toBe(false);
  expect(pending.take("q1")).toBe(one);
  expect(pending.take("q1")).toBeNull();
  expect(pending.isOwedNothing).toBe(true);
});

test("overdue answers take places, and too many of them end the connection", () => {
  const pending = new PendingAnswers();
  for (let i = 0; i < maxOverdueAnswers; i++) expect(pending.expire(question(`q${i}`))).toBe(true);
  for (let i = maxOverdueAnswers; i < maxInFlightRequests; i++) {
    expect(pending.hasRoom(maxInFlightRequests)).toBe(true);
    pending.add(question(`q${i}`));
  }
  expect(pending.hasRoom(maxInFlightRequests)).toBe(false);
  expect(pending.expire(question("one more"))).toBe(false);
});

test("an absence: pauses grow, stay within the grace, and end with it", () => {
  let now_ms = 0;
  const absence = new Absence(socketPath(), new Error("x"), () => now_ms);
  const pauses: number[] = [];
  for (let next = absence.nextPause_ms(500); next !== null; next = absence.nextPause_ms(500)) {
    pauses.push(next);
    now_ms += next;
  }
  expect(pauses).toEqual([10, 20, 40, 80, 100, 100, 100, 50]);
  expect(absence.nextPause_ms(0)).toBeNull();
});

test("what a failed connect says", () => {
  const failure = (code: string): string => connectFailure(Object.assign(new Error("x"), { code }));
  expect(["ENOENT", "ECONNREFUSED"].map(failure)).toEqual(["absent", "absent"]);
  expect(["EAGAIN", "ECONNRESET", "EPIPE"].map(failure)).toEqual(["busy", "busy", "busy"]);
  expect(["EACCES", "ENOTDIR", "ENAMETOOLONG", "EPERM"].map(failure)).toEqual(["wrong", "wrong", "wrong", "wrong"]);
});
