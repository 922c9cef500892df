import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { corpus, corpusText } from "./corpus/corpus.ts";
import type { Corpus } from "./corpus/format.ts";
import effectRules from "./effect-rules.ts";
import { misbehaviours, misbehavioursText } from "./misbehaving/catalogue.ts";
import rules from "./rules.ts";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

test("corpus.json is what the generator makes", () => {
  expect(read("corpus.json") === corpusText(), "run npx tsx conformance/write-data.ts").toBe(true);
});

test("misbehaviours.json is what the generator makes", () => {
  expect(read("misbehaviours.json") === misbehavioursText(), "run npx tsx conformance/write-data.ts").toBe(true);
});

test("corpus.json is ASCII and read back unchanged, own keys named __proto__ included", () => {
  expect(read("corpus.json")).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(read("corpus.json"))).toEqual(JSON.parse(JSON.stringify(corpus)));
  const entry = (JSON.parse(read("corpus.json")) as Corpus).entries.find(
    ({ name }) => name === "a-proto-key-survives-both-ways",
  );
  expect(JSON.stringify(entry)).toContain('"value":{"__proto__":{"admin":true},"constructor":1}');
});

test("wire v1's thirteen cases and nine negatives keep their names", () => {
  expect(corpus.corpus_version).toBe(1);
  expect(corpus.rules).toBe("interlock.testing.fixtures:CONFORMANCE_ENGINE");
  expect(corpus.cases.map(({ name }) => name)).toEqual([
    "allow-with-no-opinion",
    "block-names-the-triggering-argument",
    "block-with-no-attribution",
    "modify-rewrites-the-request",
    "modify-replaces-a-non-dict-result",
    "modify-replaces-a-dict-result",
    "bytes-survive-the-round-trip",
    "a-set-is-normalised-to-a-sorted-list",
    "a-null-replacement-means-no-replacement",
    "an-untransmittable-rewrite-is-refused",
    "call-side-rules-do-not-judge-results",
    "principal-crosses-the-wire",
    "parent-principal-crosses-the-wire",
  ]);
  expect(corpus.negatives.map(({ name, error }) => [name, error])).toEqual([
    ["unknown-protocol-version", "bad_version"],
    ["misspelled-args-key-is-refused-not-ignored", "bad_request"],
    ["missing-args-is-refused", "bad_request"],
    ["args-must-be-an-object", "bad_request"],
    ["phase-is-case-sensitive", "bad_request"],
    ["unknown-event-key-is-refused", "bad_request"],
    ["missing-id-is-refused", "bad_request"],
    ["malformed-json-is-refused", "bad_request"],
    ["oversized-frame-is-refused", "too_large"],
  ]);
});

test("every entry has a name of its own and says why it exists", () => {
  const named = [...corpus.cases, ...corpus.negatives, ...corpus.entries];
  expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
  for (const { name, note } of named) {
    expect(name).toMatch(/^[a-z0-9][a-z0-9.-]*$/);
    expect(note.length, name).toBeGreaterThan(10);
  }
  expect(corpus.entries.length).toBeGreaterThanOrEqual(60);
});

test("every misbehaviour has a name that makes a socket's file name, and there are at least forty that must block", () => {
  const names = misbehaviours.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, description } of misbehaviours) {
    expect(name).toMatch(/^[a-z0-9][a-z0-9.-]{0,59}$/);
    expect(description.length, name).toBeGreaterThan(3);
  }
  expect(misbehaviours.filter(({ expect: expected }) => expected === "block").length).toBeGreaterThanOrEqual(40);
  expect(names).toContain("well-behaved");
});

test("the protocol's twelve rules come first, in its order", () => {
  expect(rules.rules.slice(0, 12).map(({ id }) => id)).toEqual([
    "conformance.rm-rf",
    "conformance.no-etc",
    "conformance.quarantine",
    "conformance.untrusted-principal",
    "conformance.root-agent-parent",
    "conformance.call-side",
    "conformance.result-redact",
    "conformance.result-strip",
    "conformance.result-binary",
    "conformance.result-set",
    "conformance.result-null",
    "conformance.result-opaque",
  ]);
});

test("the rules for native effects are the protocol's six", () => {
  expect(effectRules.rules.map(({ id, actions }) => [id, ...actions])).toEqual([
    ["effects.fs-block", "fs.readFile"],
    ["effects.fs-redirect", "fs.readFile"],
    ["effects.exec-block", "child_process.exec"],
    ["effects.exec-rewrite", "child_process.exec"],
    ["effects.fetch-block", "http.fetch"],
    ["effects.fetch-redirect", "http.fetch"],
  ]);
});
