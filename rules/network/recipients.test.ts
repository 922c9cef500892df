import { describe, expect, it } from "vitest";
import { recipientsIn } from "./recipients.ts";

describe("a line of recipients", () => {
  it.each([
    ["jane@example.com", ["jane@example.com"]],
    ["Jane <jane@example.com>, bob@example.org", ["jane@example.com", "bob@example.org"]],
    ['"a@allowed.example" <x@evil.example>', ["x@evil.example"]],
    ["team: a@example.com, b@example.org;", ["a@example.com", "b@example.org"]],
    ["J\u00e4ne <JANE@Example.com>", ["jane@example.com"]],
    ['"a@b"@example.com', ["a@b@example.com"]],
  ])("%j", (line, expected) => expect(recipientsIn(line)).toEqual(expected));

  it.each(["jane@example.com jane", "a@b@c", "<jane@example.com", "jane@", `${"a@b.c,".repeat(10_000)}`])(
    "%.40j is none",
    (line) => expect(recipientsIn(line)).toBeNull(),
  );
});
