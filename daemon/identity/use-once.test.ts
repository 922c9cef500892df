import { expect, test } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { StoreFailed } from "../store/refused.ts";
import { newClaims, signToken } from "./issue-token.ts";
import { parseToken } from "./parse-token.ts";
import { useOnce } from "./use-once.ts";

const claims = newClaims({ principal: "acme", audience: "here", life_s: 60, once: true, now_ms: 1_700_000_000_000 });
const token = parseToken(signToken(claims, generateKeyPair()));

const failing = (error: Error) => ({
  change: () => {
    throw error;
  },
});

test("a store that cannot tell refuses the token, at once or later", async () => {
  const away = new StoreFailed("away");
  expect(() => useOnce(failing(away), token)).toThrow(expect.objectContaining({ code: "token_unchecked" }));
  const later = { change: () => Promise.reject(away) };
  await expect(useOnce(later, token)).rejects.toMatchObject({ code: "token_unchecked" });
});

test("a fault of the program is not taken for one of the store", () => {
  expect(() => useOnce(failing(new RangeError("of the program")), token)).toThrow(RangeError);
});
