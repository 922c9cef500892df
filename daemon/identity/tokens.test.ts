import { sign } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generateKeyPair, type PrivateKey } from "../keys/private-key.ts";
import { type KeyStanding, trustIn } from "../keys/trust.ts";
import { newClaims, signToken } from "./issue-token.ts";
import { parseToken } from "./parse-token.ts";
import { TokenRefused } from "./refused.ts";
import type { TokenClaims } from "./token.ts";
import { type TokenTrust, verifyToken } from "./verify-token.ts";

const now_ms = 1_700_000_000_000;
const key = generateKeyPair();
const other = generateKeyPair();
const fresh = newClaims({ principal: "acme/pay", audience: "here", life_s: 900, once: false, now_ms });

interface Terms {
  readonly at_ms?: number;
  readonly trust?: TokenTrust;
}

const believed = trustIn("tokens", [key.publicKey]);
const standing = (as: KeyStanding): TokenTrust => ({ keysOf: () => [], standingOf: () => as });

const taken = (text: string, { at_ms = now_ms, trust = believed }: Terms = {}): TokenClaims =>
  verifyToken(parseToken(text), {
    trust,
    audience: "here",
    skew_ms: 30_000,
    now_ms: at_ms,
  });

const codeOf = (take: () => unknown): string => {
  try {
    take();
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    expect(error.message).not.toContain("\n");
    return error.code;
  }
  return "taken";
};

const part = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString("base64url");
const signed = (header: unknown, payload: unknown, by: PrivateKey = key): string => {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), by.object).toString("base64url")}`;
};
const header = { alg: "EdDSA", kid: key.keyId, typ: "interlock+jwt" };
const payload = { aud: "here", exp: 1_700_000_900, iat: 1_700_000_000, jti: "j", nbf: 1_700_000_000, sub: "acme/pay" };

test("a token that was issued is taken for what it says", () => {
  expect(taken(signToken(fresh, key))).toEqual(fresh);
  const single = { ...fresh, once: true };
  expect(taken(signToken(single, key))).toEqual(single);
});

test("a token of this form made by another program is taken", () => {
  expect(taken(signed(header, payload))).toMatchObject({ sub: "acme/pay", once: false });
});

test.each<[string, string]>([
  ["empty", ""],
  ["one part", "a"],
  ["two parts", `${part(header)}.${part(payload)}`],
  ["four parts", `${signed(header, payload)}.x`],
  ["padding", `${signed(header, payload)}=`],
  ["another alphabet", signed(header, payload).replace(/\.[^.]*$/, `.${"+".repeat(86)}`)],
  ["a short signature", signed(header, payload).slice(0, -4)],
  ["no signature (alg none)", `${part({ ...header, alg: "none" })}.${part(payload)}.`],
  ["another algorithm", signed({ ...header, alg: "HS256" }, payload)],
  ["another type", signed({ ...header, typ: "JWT" }, payload)],
  ["crit", signed({ ...header, crit: ["exp"] }, payload)],
  ["a key in the header", signed({ ...header, jwk: {} }, payload)],
  ["no kid", signed({ alg: "EdDSA", typ: "interlock+jwt" }, payload)],
  ["a kid that is a path", signed({ ...header, kid: "../../../../etc/" }, payload)],
  ["a header that is a list", signed([], payload)],
  ["an unknown claim", signed(header, { ...payload, admin: true })],
  ["no audience", signed(header, { ...payload, aud: undefined })],
  ["a list of audiences", signed(header, { ...payload, aud: ["here"] })],
  ["a time that is text", signed(header, { ...payload, exp: "1700000900" })],
  ["a fraction of a second", signed(header, { ...payload, exp: 1_700_000_900.5 })],
  ["over before it begins", signed(header, { ...payload, exp: payload.nbf })],
  ["more than a day", signed(header, { ...payload, exp: payload.iat + 86_401 })],
  [
    "more than a day that begins late",
    signed(header, { ...payload, nbf: payload.iat + 86_000, exp: payload.iat + 90_000 }),
  ],
  ["once that is not true", signed(header, { ...payload, once: false })],
  ["an empty principal", signed(header, { ...payload, sub: "" })],
  ["a principal with an empty segment", signed(header, { ...payload, sub: "acme//pay" })],
  ["a principal that climbs", signed(header, { ...payload, sub: "acme/../root" })],
  ["a principal with a line feed", signed(header, { ...payload, sub: "acme\nroot" })],
  ["a principal of 513 bytes", signed(header, { ...payload, sub: "a".repeat(513) })],
  [
    "a claim twice",
    (() => {
      const text = `${part(header)}.${Buffer.from(JSON.stringify(payload).replace("{", '{"sub":"root",')).toString("base64url")}`;
      return `${text}.${sign(null, Buffer.from(text), key.object).toString("base64url")}`;
    })(),
  ],
  ["more than 8192 bytes", `${"a".repeat(8_193)}.a.a`],
])("malformed: %s", (_what, text) => {
  expect(codeOf(() => taken(text))).toBe("token_malformed");
});

test.each<[string, string, string, Terms?]>([
  ["signed by a key that nobody trusts", signToken(fresh, other), "token_unknown_key"],
  ["signed by another key under a trusted name", signed(header, payload, other), "token_bad_signature"],
  [
    "altered after it was signed",
    signToken(fresh, key).replace(/\.[^.]*\./, `.${part({ ...payload, sub: "acme" })}.`),
    "token_bad_signature",
  ],
  ["for another daemon", signToken({ ...fresh, aud: "there" }, key), "token_other_audience"],
  ["begins after the clocks' difference", signToken(fresh, key), "token_not_yet_valid", { at_ms: now_ms - 30_001 }],
  ["begins within it", signToken(fresh, key), "taken", { at_ms: now_ms - 30_000 }],
  ["over by less than it", signToken(fresh, key), "taken", { at_ms: now_ms + 929_999 }],
  ["over", signToken(fresh, key), "token_expired", { at_ms: now_ms + 930_000 }],
  ["its key is revoked", signToken(fresh, key), "token_key_revoked", { trust: standing("revoked") }],
  ["its key is past its days", signToken(fresh, key), "token_key_revoked", { trust: standing("expired") }],
  ["its key is for rules", signToken(fresh, key), "token_unknown_key", { trust: trustIn("rules", [key.publicKey]) }],
])("%s", (_what, text, code, terms = {}) => {
  expect(codeOf(() => taken(text, terms))).toBe(code);
});

test("a token with any character changed is refused by its code", () => {
  const text = signToken(fresh, key);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(..."AZaz09-_.=+ é"), (at, character) => {
      fc.pre(text[at] !== character);
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(["token_malformed", "token_bad_signature", "token_unknown_key"]).toContain(codeOf(() => taken(changed)));
    }),
  );
});

test("whatever text is shown is refused, and nothing else is thrown", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.base64String()).map((parts) => parts.join(".")),
      ),
      (text) => {
        expect(codeOf(() => taken(text))).toBe("token_malformed");
      },
    ),
  );
});
