import { describe, expect, it } from "vitest";
import { isProse } from "./prose.ts";

describe("the form of a text", () => {
  it("is prose where it is sentences, also in JSON", () => {
    expect(isProse("Hi David, you sent a wire payment of $850.00 to 38Avenue. The money was sent.")).toBe(true);
    expect(
      isProse('{"id":"18f2","subject":"Lunch","body":"Are you free on Tuesday? We could try the new place."}'),
    ).toBe(true);
  });

  it.each([
    ["code", "const a = (b) => { return { c: b(1), d: [2] }; };\nif (x) { y(z); }"],
    ["a table", "1,2.50,3\n4,5.10,6\n7,8.99,9"],
    ["encoded bytes", "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"],
    ["a log", "2024-05-01 12:00:01 200 /a 12\n2024-05-01 12:00:02 404 /b 9"],
  ])("is not prose where it is %s", (_, text) => expect(isProse(text)).toBe(false));
});
