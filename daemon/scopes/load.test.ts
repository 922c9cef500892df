import { expect, test } from "vitest";
import { signedDocumentText } from "../../wire/signed-document.ts";
import { generateKeyPair } from "../keys/private-key.ts";
import { signDocument } from "../keys/sign-document.ts";
import { trustIn } from "../keys/trust.ts";
import type { ServedVersion } from "../rulesets/rollback.ts";
import { loadScopes, type ScopesToLoad } from "./load.ts";
import { payloadText } from "./payload.ts";
import { readSource } from "./read-source.ts";
import { ScopesRefused } from "./refusal.ts";
import { servedName } from "./served-name.ts";
import { text } from "./testing.ts";

const key = generateKeyPair();
const now_ms = Date.UTC(2026, 10, 30);
const { source } = readSource(text("  a: [{ template: ceiling, params: { max: 5 } }]"), "scopes.yaml");

const signed = (payload: string, changes: Partial<ScopesToLoad> = {}): ScopesToLoad => ({
  file: { path: "s.json", bytes: Buffer.from(signedDocumentText(signDocument("scopes", payload, key))) },
  trust: trustIn("scopes", [key.publicKey]),
  served: new Map(),
  now_ms,
  when: "start",
  ...changes,
});

const codeOf = async (request: ScopesToLoad): Promise<string> => {
  try {
    return (await loadScopes(request)).pin;
  } catch (error) {
    if (!(error instanceof ScopesRefused)) throw error;
    return error.code;
  }
};

const payload = payloadText({ ...source, not_after: "2026-12-01T00:00:00Z" }, now_ms);
const served = (version: number, digest: string) =>
  new Map<string, ServedVersion>([[servedName("acme"), { version, digest }]]);

test("a document is served again, and not an older one or another one of its version", async () => {
  const pin = await codeOf(signed(payload));
  expect(pin).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await codeOf(signed(payload, { served: served(1, pin) }))).toBe(pin);
  expect(await codeOf(signed(payload, { served: served(1, "sha256:other") }))).toBe("rolled_back");
  expect(await codeOf(signed(payload, { served: served(2, pin) }))).toBe("rolled_back");
});

test("a document whose day has come is not taken at a start or a reload; an engine that restarts goes on blocking by it", async () => {
  const late = { now_ms: Date.UTC(2026, 11, 1) };
  expect(await codeOf(signed(payload, late))).toBe("expired");
  expect(await codeOf(signed(payload, { ...late, when: "reload" }))).toBe("expired");
  expect(await codeOf(signed(payload, { ...late, when: "restart" }))).toMatch(/^sha256:/);
});

test("what was signed is checked as if nobody had signed it", async () => {
  const refused: Readonly<Record<string, string>> = {
    hello: "malformed",
    '{"v":1}': "malformed",
    [payload.replace('"v":1', '"v":2')]: "malformed",
    [payload.replace('"v":1', '"v":1,"grants":"all"')]: "unknown_key",
    [payload.replace('"version":1', '"version":1,"version":2')]: "malformed",
    [payload.replace('"max":5', '"max":"5"')]: "parameter_refused",
    [payload.replace('"template":"ceiling"', '"template":"none"')]: "template_unknown",
    [payload.replace('"a":[', '"a//b":[')]: "scope_malformed",
    [payload.replace('"a":[', '"__proto__":[],"a":[')]: "malformed",
  };
  for (const [text_, code] of Object.entries(refused))
    expect([text_, await codeOf(signed(text_))]).toEqual([text_, code]);
});
