import { expect, test } from "vitest";
import { actingIn, isIdentityRefusal, namedIn } from "./acting.ts";
import type { IdentityRules } from "./identity-rules.ts";
import { isAtOrBelow } from "./principal-path.ts";

const claimed: IdentityRules = { principals: "claimed", principal: null, claims: "any" };
const token: IdentityRules = { principals: "token", principal: null, claims: "below" };
const withDefault: IdentityRules = { ...token, principal: "acme/app" };
const freeToName: IdentityRules = { ...withDefault, claims: "any" };

test.each([
  ["acme", "acme", true],
  ["acme/pay", "acme", true],
  ["acme/pay/agent42", "acme", true],
  ["acme/payments", "acme/pay", false],
  ["acme", "acme/pay", false],
  ["other", "acme", false],
  ["Acme/pay", "acme", false],
  ["acme/", "acme", false],
  ["acme//pay", "acme", false],
  ["acme/./pay", "acme", false],
  ["acme/../root", "acme", false],
  ["acme/pay/..", "acme", false],
])("%s is at or below %s: %s", (principal, above, is) => {
  expect(isAtOrBelow(principal, above)).toBe(is);
});

test.each<[string, IdentityRules, string | null, string | null, object]>([
  [
    "without a setting the event's word is taken, as a claim",
    claimed,
    null,
    "bob",
    { principal: "bob", source: "claimed", identity: null },
  ],
  [
    "and where it says nothing, nobody is known",
    claimed,
    null,
    null,
    { principal: null, source: "claimed", identity: null },
  ],
  [
    "a bound connection acts as whom it is bound to",
    claimed,
    "acme",
    null,
    { principal: "acme", source: "token", identity: "acme" },
  ],
  ["or as one below", token, "acme", "acme/pay", { principal: "acme/pay", source: "token", identity: "acme" }],
  [
    "a default acts where nobody is named",
    withDefault,
    null,
    null,
    { principal: "acme/app", source: "configured", identity: "acme/app" },
  ],
  [
    "and those below it",
    withDefault,
    null,
    "acme/app/x",
    { principal: "acme/app/x", source: "configured", identity: "acme/app" },
  ],
  [
    "a configuration may leave it to the event",
    freeToName,
    null,
    "bob",
    { principal: "bob", source: "claimed", identity: null },
  ],
  ["and has a default beside it", freeToName, null, null, { principal: "acme/app", source: "configured" }],
])("%s", (_what, rules, bound, principal, expected) => {
  expect(namedIn({ principal, parent_principal: null }, bound, rules)).toMatchObject({ ...expected, refused: null });
});

test.each<[string, IdentityRules, string | null, string | null, string | null, string]>([
  ["a name above", token, "acme/pay", "acme", null, "principal_forged"],
  ["a name beside", token, "acme/pay", "acme/payroll", null, "principal_forged"],
  ["a parent above", token, "acme/pay", null, "acme", "principal_forged"],
  ["a parent elsewhere", token, "acme/pay", "acme/pay/x", "root", "principal_forged"],
  ["a name beside the configured one", withDefault, null, "acme/other", null, "principal_forged"],
  ["no token where one is asked for", token, null, "acme", null, "token_required"],
  ["no token and no name", { ...token, claims: "any" }, null, null, null, "token_required"],
])("refused: %s", (_what, rules, bound, principal, parent_principal, code) => {
  const acting = namedIn({ principal, parent_principal }, bound, rules);
  // What it named is kept as the claim that it is.
  expect(acting).toMatchObject({ principal, source: "claimed", refused: { code } });
  expect(isIdentityRefusal(code)).toBe(true);
});

test("a token stands while it is acted under, to the millisecond, and while its key does", () => {
  const bound = { principal: "acme", expires_ms: 1_000, keyId: "k" };
  const nobody = { principal: null, parent_principal: null };
  const at = (now_ms: number, believes: boolean) =>
    actingIn(nobody, bound, token, { now_ms, believes: () => believes });
  expect(at(999, true)).toMatchObject({ principal: "acme", refused: null });
  expect(at(1_000, true).refused?.code).toBe("token_expired");
  expect(at(999, false).refused?.code).toBe("token_key_revoked");
});
