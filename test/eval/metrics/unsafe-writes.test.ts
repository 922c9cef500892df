import { expect, test } from "vitest";
import { unsafeUnder } from "./unsafe-writes.ts";

test("without any enforcement 33 unsafe writes of 140 run", async () => {
  expect((await unsafeUnder("no-enforcement")).size).toBe(33);
});
