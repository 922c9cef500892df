import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateKeyPair } from "../../keys/private-key.ts";
import { signPolicy } from "../sign-policy.ts";
import { readPolicy } from "../source.ts";
import { signatureNote } from "./candidate.ts";
import { check } from "./check.ts";
import { explain } from "./explain.ts";

const now_ms = Date.parse("2026-12-01T00:00:00.000Z");
const source = JSON.stringify({
  ...{ id: "prod", version: 7, not_after: "2027-01-31" },
  rules: [{ id: "r", effect: "allow", actions: ["read_file"] }],
});

test("of a signed file that somebody altered, check and explain say that nobody's signature was looked at", async () => {
  const folder = mkdtempSync(join(tmpdir(), "il-fallback-"));
  const written = join(folder, "away.json");
  const signed = join(folder, "away.json.signed");
  writeFileSync(written, source);
  const { text } = signPolicy(readPolicy(source, written, now_ms), generateKeyPair(), null, written, now_ms);
  writeFileSync(signed, text.replace("read_file", "sell_file"));
  expect((await check(signed, now_ms)).lines.at(-1)).toBe(signatureNote);
  expect((await check(written, now_ms)).lines).not.toContain(signatureNote);
  const call = { action: "sell_file", args: "{}", phase: "call", principal: null, now_ms } as const;
  expect((await explain({ path: signed, ...call })).lines).toEqual([
    "ALLOW sell_file by prod version 7: rule r",
    signatureNote,
  ]);
  expect((await explain({ path: written, ...call })).lines).toHaveLength(1);
});
