import { expect, test } from "vitest";
import { commitmentsOf } from "./commitments.ts";
import { decisionReceiptWriter } from "./decision-receipt.ts";
import { zeroHash } from "./hash.ts";
import { notProved, type Standing } from "./not-proved.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { controlReceipt } from "./receipt.ts";
import type { DecisionRecord } from "./record.ts";
import { control, decision } from "./test-records.ts";

const chain = "a".repeat(32);
const link = { seq: 1, prev: zeroHash };
const covered: Standing = { isCovered: true, hasSalt: true };

const saidOf = (changes: Partial<DecisionRecord>, standing = covered): string => {
  const record = decision(changes);
  const commitments = commitmentsOf(record, { salt: "0".repeat(32), final_salt: null });
  const receipt = parseReceipt(decisionReceiptWriter(chain)(record, link, commitments));
  if (receipt === null) throw new Error("not a receipt");
  return notProved(receipt, standing).join("\n");
};

test.each<[string, Partial<DecisionRecord>, string]>([
  ["a claimed principal", {}, "the principal is the client's word"],
  ["no principal", { principal: null }, "nobody was named"],
  ["a configured principal", { principal_source: "configured" }, "whom the configuration names"],
  ["no grade", { grade: null }, "did not say how it intercepts"],
  ["monitor", { grade: "sync/monitor" }, "it only monitors"],
  ["enforce", {}, "that the client enforces it is the client's word"],
  ["an allowed call", {}, "that the call ran, or what came of it"],
  ["a refused call", { verdict: "BLOCK" }, "that nothing ran"],
  ["a result", { phase: "result" }, "the response is what the client put"],
  ["a decision that was made offline", { offline: { at_ms: 1, policy: "p@1" } }, "while it reached no daemon"],
  ["no surface", {}, "held against no approved surface"],
])("%s is told", (_name, changes, words) => {
  expect(saidOf(changes)).toContain(words);
});

test("what is proved is not told to be missing", () => {
  expect(saidOf({ principal_source: "token" })).not.toContain("who acted");
  expect(saidOf({ surface: `sha256:${"0".repeat(64)}` })).not.toContain("surfaces");
  expect(saidOf({})).not.toContain("checkpoint");
  expect(saidOf({})).not.toContain("salt");
  expect(saidOf({ phase: "result" })).not.toContain("that the call ran");
});

test("that no checkpoint covers it, and that its salt is erased, are told of how it lies in the store", () => {
  expect(saidOf({}, { isCovered: false, hasSalt: true })).toContain("no signed checkpoint covers it yet");
  expect(saidOf({}, { isCovered: true, hasSalt: false })).toContain("what the arguments were: the salt is erased");
  expect(saidOf({ phase: "result" }, { isCovered: true, hasSalt: false })).toContain("what the response was");
});

test("a receipt of version 1 says that it says less, and one of the daemon itself only what all say", () => {
  const record = decision();
  const commitments = commitmentsOf(record, { salt: "0".repeat(32), final_salt: null });
  const receipt = parseReceipt(decisionReceiptWriter(chain)(record, link, commitments));
  const old = { ...receipt, v: 1 } as unknown as NonNullable<typeof receipt>;
  expect(notProved(old, covered).join()).toContain("a receipt of version 1 does not say");
  const own = parseReceipt(controlReceipt(control(), chain, link));
  if (own === null) throw new Error("not a receipt");
  expect(notProved(own, covered)).toEqual(["that the clock was right: the time is what the machine said"]);
});
