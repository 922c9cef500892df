import { describe, expect, test } from "vitest";
import { dayOrTime_ms } from "./day-or-time.ts";

describe("a day or a time that somebody writes", () => {
  test.each([
    ["2027-01-31", Date.UTC(2027, 0, 31)],
    ["2027-01-31T12:00:00Z", Date.UTC(2027, 0, 31, 12)],
    ["2027-01-31T12:00:00.250Z", Date.UTC(2027, 0, 31, 12, 0, 0, 250)],
    ["2028-02-29", Date.UTC(2028, 1, 29)],
  ])("%s", (text, at_ms) => {
    expect(dayOrTime_ms(text)).toBe(at_ms);
  });

  test.each([
    "",
    "1",
    "2027",
    "2027-01",
    "2027-02-30",
    "2027-02-30T12:00:00Z",
    "2027-13-01",
    "2027-01-31T24:00:00Z",
    "2027-01-31T12:00",
    "2027-01-31T12:00:00",
    "2027-01-31T12:00:00+01:00",
    "31 Jan 2027",
    "+012027-01-31",
    " 2027-01-31",
  ])("%j is none", (text) => {
    expect(dayOrTime_ms(text)).toBeNull();
  });
});
