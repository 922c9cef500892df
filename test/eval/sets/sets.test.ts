import { expect, test } from "vitest";
import { expectedExtra } from "../results/expected.ts";
import { extraSets } from "./all.ts";

test.each(extraSets)(
  "$name comes to what it should, and blocks nothing else",
  { timeout: 240_000 },
  async ({ name, run }) => {
    expect(await run()).toEqual(expectedExtra[name]);
  },
);
