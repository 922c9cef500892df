import { expect, test } from "vitest";
import { sinceOf } from "./since.ts";

const now_ms = 1_760_000_000_000;

test("since is a span, a receipt's number, or the beginning", () => {
  expect(sinceOf(null, now_ms)).toEqual({ seq: 1 });
  expect(sinceOf("42", now_ms)).toEqual({ seq: 42 });
  expect(sinceOf("90s", now_ms)).toEqual({ time_ms: now_ms - 90_000 });
  expect(sinceOf("30m", now_ms)).toEqual({ time_ms: now_ms - 1_800_000 });
  expect(sinceOf("12h", now_ms)).toEqual({ time_ms: now_ms - 43_200_000 });
  expect(sinceOf("7d", now_ms)).toEqual({ time_ms: now_ms - 604_800_000 });
});

test.each(["", "0", "0d", "-1", "1.5h", "7 d", "yesterday", "1w", "99999999999999999"])("%j is refused", (text) => {
  expect(() => sinceOf(text, now_ms)).toThrow(expect.objectContaining({ name: "Refusal", exitCode: 2 }));
});
