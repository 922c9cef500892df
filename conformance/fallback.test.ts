import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { acceptDocument, checkMayDecide } from "../client-node/fallback/accept-document.ts";
import { FallbackRefused, fallbackRefusals } from "../client-node/fallback/refusal.ts";
import { publicKeysOf } from "../client-node/signed-file.ts";
import { decideOffline } from "../wire/fallback/decide.ts";
import { parseFallbackPolicy } from "../wire/fallback/parse-policy.ts";
import { fallbackCorpusText } from "./fallback/corpus.ts";
import type { FallbackCorpus } from "./fallback/format.ts";

const text = readFileSync(new URL("fallback.json", import.meta.url), "utf8");
const corpus = JSON.parse(text) as FallbackCorpus;

const codeOf = (judge: () => unknown): string => {
  try {
    judge();
    return "accepted";
  } catch (error) {
    if (error instanceof FallbackRefused) return error.code;
    throw error;
  }
};

test("fallback.json is what the generator makes, and ASCII", () => {
  expect(text === fallbackCorpusText(), "run npx tsx conformance/write-data.ts").toBe(true);
  expect(text).toMatch(/^[\n -~]*$/);
});

test("every entry has a name of its own, and there are enough of them", () => {
  for (const entries of [corpus.documents, corpus.payloads, corpus.decisions]) {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  }
  expect(corpus.decisions.length).toBeGreaterThanOrEqual(80);
});

describe("a signed document", () => {
  test.each(corpus.documents)("$name: $expect", ({ document, key, now, seen, expect: expected }) => {
    const keys = publicKeysOf(Buffer.from(corpus.keys[key] as string), "the corpus");
    const bytes = Buffer.from(document, "utf8");
    const judged = codeOf(() => checkMayDecide(acceptDocument(bytes, keys, "it"), seen, Date.parse(now)));
    expect(judged).toBe(expected);
    expect([...Object.keys(fallbackRefusals), "accepted"]).toContain(expected);
  });
});

describe("a payload", () => {
  test.each(corpus.payloads)("$name: $expect", ({ payload, expect: expected }) => {
    let judged = "accepted";
    try {
      parseFallbackPolicy(payload);
    } catch (error) {
      judged = "refused";
      expect((error as Error).message).toMatch(/^fallback policy refused: [ -~]+$/);
    }
    expect(judged).toBe(expected);
  });
});

describe("a decision", () => {
  test.each(corpus.decisions)("$name: $expect.verdict", ({ policy, event, expect: expected }) => {
    const parsed = parseFallbackPolicy(corpus.policies[policy] as string);
    expect(decideOffline(parsed, { ...event, args: JSON.parse(event.args) })).toEqual(expected);
  });
});
