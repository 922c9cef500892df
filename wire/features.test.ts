import { expect, test } from "vitest";
import { allFeatures, commonFeatures, featureSet, listFeatures, noFeatures, parseFeatures } from "./features.ts";

test("a set holds the names that are known, and is frozen", () => {
  const set = featureSet(["resend", "later", "details"]);
  expect(listFeatures(set)).toEqual(["details", "resend"]);
  expect(Object.isFrozen(set)).toBe(true);
});

test("none and all", () => {
  expect(listFeatures(noFeatures)).toEqual([]);
  expect(Object.values(allFeatures).every(Boolean)).toBe(true);
});

test("what both know", () => {
  const common = commonFeatures(
    featureSet(["call_id", "details", "resend"]),
    featureSet(["details", "resend", "surface"]),
  );
  expect(listFeatures(common)).toEqual(["details", "resend"]);
});

test("a name that every object has is no feature", () => {
  expect(listFeatures(parseFeatures(["constructor", "__proto__", "details"], "hello.features", "h"))).toEqual([
    "details",
  ]);
});
