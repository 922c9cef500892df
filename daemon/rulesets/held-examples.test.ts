import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keyedHash } from "../transactions/keyed-hash.ts";
import { heldExamples, heldExamplesIn, maxHeldSets } from "./held-examples.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "held-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const daemon = "a".repeat(64);
const under = (byte: number) => keyedHash(Buffer.alloc(32, byte), "examples-held");
const opened = (more: Partial<Parameters<typeof heldExamples>[0]> = {}) =>
  heldExamples({ state, mark: under(1), daemon, ...more });
const set = `sha256:${"1".repeat(64)}`;
const other = `sha256:${"2".repeat(64)}`;

it("remembers what held, for its owner alone, and nothing else", async () => {
  expect(opened().has(set)).toBe(false);
  const first = opened();
  await first.keep([set]);
  expect([first.has(set), first.has(other)]).toEqual([true, false]);
  expect([opened().has(set), opened().has(other)]).toEqual([true, false]);
  expect(statSync(heldExamplesIn(state)).mode & 0o777).toBe(0o600);
  expect(readFileSync(heldExamplesIn(state), "utf8")).not.toContain(set.slice(7));
});

it("believes no mark that was made with another key, and none of another daemon", async () => {
  await opened({ mark: under(2) }).keep([set]);
  expect(opened().has(set)).toBe(false);
  await opened({ daemon: "b".repeat(64) }).keep([set]);
  expect(opened().has(set)).toBe(false);
  await opened().keep([set]);
  expect(opened().has(set)).toBe(true);
});

it("remembers nothing where it is not known what the daemon is", async () => {
  const unknown = opened({ daemon: null });
  await unknown.keep([set]);
  expect(unknown.has(set)).toBe(false);
  expect(() => statSync(heldExamplesIn(state))).toThrow("ENOENT");
});

it.each([
  ["no JSON", "["],
  ["no list", '{"0":1}'],
  ["a digest in place of a mark", JSON.stringify([set])],
  ["something beside the marks", (text: string) => text.replace("]", ",7]")],
  ["more than there may be", (text: string) => JSON.stringify(Array(maxHeldSets + 1).fill(JSON.parse(text)[0]))],
])("remembers nothing of a file that holds %s, and can note again", async (_what, change) => {
  await opened().keep([set]);
  const path = heldExamplesIn(state);
  writeFileSync(path, typeof change === "string" ? change : change(readFileSync(path, "utf8")));
  const damaged = opened();
  expect(damaged.has(set)).toBe(false);
  await damaged.keep([set]);
  expect(opened().has(set)).toBe(true);
});

it("remembers nothing of a file that others can write", async () => {
  await opened().keep([set]);
  chmodSync(heldExamplesIn(state), 0o620);
  expect(opened().has(set)).toBe(false);
});

it("forgets the oldest", async () => {
  const many = Array.from({ length: maxHeldSets + 1 }, (_, at) => `sha256:${at}`);
  for (const one of many) await opened().keep([one]);
  const now = opened();
  expect(many.filter((one) => !now.has(one))).toEqual(["sha256:0"]);
});
