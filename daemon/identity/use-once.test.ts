import { expect, test } from "vitest";
import { localCoordination } from "../coordination/local.ts";
import { generateKeyPair } from "../keys/private-key.ts";
import { StoreFailed } from "../store/refused.ts";
import { newClaims, signToken } from "./issue-token.ts";
import { parseToken } from "./parse-token.ts";
import { type TokenNotes, useOnce } from "./use-once.ts";

const claims = newClaims({ principal: "acme", audience: "here", life_s: 60, once: true, now_ms: 1_700_000_000_000 });
const token = parseToken(signToken(claims, generateKeyPair()));

const failing = (error: Error): TokenNotes => ({
  ledger: {
    change: () => {
      throw error;
    },
  },
  coordination: localCoordination,
});

test("a store that cannot tell refuses the token, at once or later", async () => {
  const away = new StoreFailed("away");
  expect(() => useOnce(failing(away), token)).toThrow(expect.objectContaining({ code: "token_unchecked" }));
  const later = { ledger: { change: () => Promise.reject(away) }, coordination: localCoordination };
  await expect(useOnce(later, token)).rejects.toMatchObject({ code: "token_unchecked" });
});

test("a fault of the program is not taken for one of the store", () => {
  expect(() => useOnce(failing(new RangeError("of the program")), token)).toThrow(RangeError);
});

test("so do daemons that share no store, where they cannot tell; and the store is not asked", () => {
  const asked = (noted: boolean | null): TokenNotes => ({
    ...failing(new RangeError("it was asked")),
    coordination: { noteToken: () => noted },
  });
  expect(() => useOnce(asked(null), token)).toThrow(expect.objectContaining({ code: "token_unchecked" }));
  expect(() => useOnce(asked(false), token)).toThrow(expect.objectContaining({ code: "token_used" }));
});
