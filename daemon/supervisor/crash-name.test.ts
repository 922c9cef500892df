import { expect, test } from "vitest";
import { crashName } from "./crash-name.ts";

test.each([
  [Object.assign(new Error("secret"), { code: "ERR_WORKER_OUT_OF_MEMORY" }), "ERR_WORKER_OUT_OF_MEMORY"],
  [new TypeError("secret"), "TypeError"],
  [new Error("secret"), "Error"],
  [Object.assign(new Error("secret"), { code: "made\nup by a rule" }), "Error"],
  [Object.assign(new Error("secret"), { code: 7 }), "Error"],
  [null, "threw a null"],
  [undefined, "threw a undefined"],
  ["secret", "threw a string"],
  [{ constructor: null }, "threw an object"],
  [Object.create(null), "threw an object"],
])("what a thread died of is a word, whatever was thrown: %#", (error, word) => {
  expect(crashName(error)).toBe(word);
});

test("no getter of what was thrown is run", () => {
  const hostile = {
    get code(): never {
      throw new Error("ran");
    },
  };
  expect(crashName(hostile)).toBe("threw an object");
});
