import { describe, expect, test } from "vitest";
import { asidesOf } from "./asides.ts";
import { PolicyRefused } from "./refusal.ts";
import { readPolicy } from "./source.ts";

const now_ms = Date.parse("2026-12-01T00:00:00.000Z");
const yaml = (rules: string, head = "id: prod\nversion: 7\nnot_after: 2027-01-31\n"): string =>
  `${head}rules:\n${rules}`;
const read = (text: string) => readPolicy(text, "p.yaml", now_ms);
const reads = `  - id: reads
    effect: allow
    actions: [read_file]
    where:
      path: { prefix: [/srv/] }
    only_arguments: [path]
`;

test("what somebody wrote becomes a payload in canonical JSON, days as times", () => {
  expect(read(yaml(reads)).payload(now_ms)).toBe(
    '{"created":"2026-12-01T00:00:00.000Z","id":"prod","not_after":"2027-01-31T00:00:00.000Z","not_before":null,' +
      '"rules":[{"actions":["read_file"],"effect":"allow","id":"reads","only_arguments":["path"],' +
      '"where":{"path":{"prefix":["/srv/"]}}}],"v":1,"version":7}',
  );
});

test("JSON is read as well, and times to the second or the millisecond", () => {
  const source = { id: "a", version: 1, not_before: "2026-12-24T18:00:00Z", not_after: "2027-01-01T00:00:00.500Z" };
  const { policy } = read(JSON.stringify({ ...source, rules: [{ id: "r", effect: "block", actions: ["*"] }] }));
  expect(policy.not_before_ms).toBe(Date.parse("2026-12-24T18:00:00Z"));
  expect(policy.not_after_ms).toBe(Date.parse("2027-01-01T00:00:00.500Z"));
});

describe("refused with the line and the key", () => {
  test.each<[name: string, text: string, message: string]>([
    ["no YAML", "id: [", "p.yaml:1: "],
    ["no mapping", "- a", "p.yaml:1: must be a mapping"],
    ["an unknown key", `mode: open\n${yaml(reads)}`, "p.yaml:1: mode: unknown key"],
    ["a text for a version", yaml(reads, "id: prod\nversion: seven\nnot_after: 2027-01-31\n"), "p.yaml:2: version: "],
    [
      "a version below 1",
      yaml(reads, "id: prod\nversion: 0\nnot_after: 2027-01-31\n"),
      "p.yaml:2: version: must be a whole number from 1",
    ],
    ["no end", yaml(reads, "id: prod\nversion: 7\n"), "not_after: "],
    [
      "an end that is no day",
      yaml(reads, "id: prod\nversion: 7\nnot_after: 2027-02-30\n"),
      "p.yaml:3: not_after: must be a day",
    ],
    [
      "an end in words",
      yaml(reads, "id: prod\nversion: 7\nnot_after: next year\n"),
      "p.yaml:3: not_after: must be a day",
    ],
    [
      "an end that has passed",
      yaml(reads, "id: prod\nversion: 7\nnot_after: 2026-11-30\n"),
      "p.yaml: its not_after has passed",
    ],
    ["an unknown key of a rule", yaml(`${reads}    unless: 1\n`), "p.yaml:5: rules.0: has unknown key(s): unless"],
    [
      "an action with a star",
      yaml("  - id: r\n    effect: allow\n    actions:\n      - read\n      - wr*te\n"),
      "p.yaml:9: rules.0.actions.1: may have a *",
    ],
    [
      "a test that is none",
      yaml(
        "  - id: r\n    effect: allow\n    actions: [a]\n    where:\n      x: { min: 1 }\n      path: { matches: a }\n",
      ),
      "p.yaml:10: rules.0.where.path: has unknown key(s): matches",
    ],
    [
      "a directory without its slash",
      yaml(reads.replace("/srv/", "/srv")),
      "p.yaml:9: rules.0.where.path.prefix.0: must end in /",
    ],
    [
      "a number that is not exact",
      yaml("  - id: r\n    effect: allow\n    actions: [a]\n    where: { n: { max: 9007199254740993 } }\n"),
      "not strict JSON",
    ],
    [
      "no number",
      yaml("  - id: r\n    effect: allow\n    actions: [a]\n    where: { n: { max: .inf } }\n"),
      "has no JSON form",
    ],
    ["an id twice", yaml(reads + reads), "p.yaml:4: rules: has an id twice"],
  ])("%s", (_name, text, message) => {
    expect(() => read(text)).toThrow(PolicyRefused);
    expect(() => read(text)).toThrow(message);
  });
});

test("what an author may not have meant is said", () => {
  const open = "  - { id: any, effect: allow, actions: [search.*] }\n";
  const loose = "  - { id: some, effect: allow, actions: [pay], where: { amount: { max: 5 } } }\n";
  const results = "  - { id: back, effect: allow, actions: [search.*], phase: result }\n";
  expect(asidesOf(read(yaml(open + loose + results)).policy)).toEqual([
    "any allows whatever arguments: it has neither where nor only_arguments",
    "some has no only_arguments: arguments beside those in where may be anything",
    "pay may be called, and no rule is of its result: the result is blocked",
  ]);
});
