import { expect, test } from "vitest";
import { durabilityNotice } from "./durability-notice.ts";
import type { CommitResult } from "./record.ts";

const stands: CommitResult = { outcome: "durable", seq: 1, settled: null };
const away: CommitResult = { outcome: "not_durable", error: "PostgreSQL cannot be reached (ECONNREFUSED)" };
const down =
  "store: a receipt could not be made durable (PostgreSQL cannot be reached (ECONNREFUSED)); calls are blocked until it takes them again";
const up = "store: receipts are durable again";

const open = () => {
  const lines: string[] = [];
  let at_ms = 0;
  const saw = durabilityNotice(
    (line) => lines.push(line),
    () => at_ms,
  );
  const pass = (ms: number): void => {
    at_ms += ms;
  };
  return { lines, saw, pass };
};

test("says once why receipts are not durable, and once that they are again", () => {
  const { lines, saw } = open();
  saw([stands]);
  saw([away, away]);
  saw([away]);
  saw([{ outcome: "undecided" } as CommitResult]);
  expect(lines).toEqual([down]);
  saw([stands, stands]);
  expect(lines).toEqual([down, up]);
});

test("calls that cannot be written down one by one do not fill the log", () => {
  const { lines, saw, pass } = open();
  for (let i = 0; i < 100; i++) saw([away, stands]);
  expect(lines).toEqual([down, up]);
  pass(5_000);
  saw([away]);
  expect(lines).toEqual([down, up, down]);
});
