import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keygen } from "../../keys/commands/keygen.ts";
import { now_ms, openWorkshop, sourceOf, type Workshop } from "../testing.ts";
import { list } from "./list.ts";
import { sign } from "./sign.ts";
import { test } from "./test.ts";
import { verify } from "./verify.ts";

let workshop: Workshop;
let keyPath: string;
let entry: string;
let signed: string;
beforeAll(async () => {
  workshop = await openWorkshop();
  keyPath = join(workshop.folder, "team.key");
  expect(await keygen({ path: keyPath })).toMatchObject({ exitCode: 0, json: { ok: true } });
  entry = await workshop.write("rules.ts", sourceOf({ version: 2 }));
  signed = join(workshop.folder, "rules.ruleset.json");
  expect(await sign({ entry, keyPath, now_ms, not_after_ms: now_ms + 1_000 })).toMatchObject({ exitCode: 0 });
});
afterAll(() => workshop.close());

describe("the rules commands", () => {
  it("keygen refuses to write over a key", async () => {
    expect(await keygen({ path: keyPath })).toMatchObject({ exitCode: 2, json: { ok: false, code: "key_exists" } });
  });

  it("sign writes beside the entry and says what it signed", async () => {
    const out = join(workshop.folder, "other.json");
    const result = await sign({ entry, keyPath, out, now_ms, not_after_ms: null });
    expect(result.lines).toEqual([
      expect.stringMatching(/^signed pay version 2 by key [0-9a-f]{16}$/),
      expect.stringMatching(/^1 source, interlock@/),
      `wrote ${out}`,
    ]);
    expect(JSON.parse(await readFile(out, "utf8")).manifest).toEqual(result.json.manifest);
  });

  it("sign refuses a key that others can read, with exit code 2", async () => {
    const open = join(workshop.folder, "open.key");
    await keygen({ path: open });
    await chmod(open, 0o644);
    expect(await sign({ entry, keyPath: open, now_ms, not_after_ms: null })).toMatchObject({
      exitCode: 2,
      json: { code: "key_open_to_others" },
    });
  });

  it("sign answers 1 where examples fail, and prints each", async () => {
    const bad = await workshop.write("bad.ts", sourceOf().replaceAll('expect: "silent"', 'expect: "allow"'));
    const result = await sign({ entry: bad, keyPath, now_ms, not_after_ms: null });
    expect(result).toMatchObject({ exitCode: 1, json: { code: "examples_failed" } });
    expect(result.lines[0]).toContain("rule pay.block: example 2: expected allow, got silent");
  });

  it("verify says who signed what, until when", async () => {
    const result = await verify({ path: signed, trust: { trust: [`${keyPath}.pub`], keyring: null }, now_ms });
    expect(result.exitCode).toBe(0);
    expect(result.lines[0]).toMatch(
      /^pay version 2: signed by [0-9a-f]{16}, made 2026-01-02T03:04:05Z, until 2026-01-02T03:04:06Z$/,
    );
  });

  it("verify answers 1 for what is expired, and 2 for keys that are not", async () => {
    const late = { path: signed, trust: { trust: [`${keyPath}.pub`], keyring: null }, now_ms: now_ms + 1_000 };
    expect(await verify(late)).toMatchObject({ exitCode: 1, json: { code: "expired" } });
    expect(await verify({ ...late, trust: { trust: [keyPath], keyring: null } })).toMatchObject({
      exitCode: 2,
      json: { code: "key_malformed" },
    });
  });

  it("list shows each rule", async () => {
    const result = await list({ path: signed, trust: { trust: [`${keyPath}.pub`], keyring: null }, now_ms });
    expect(result.lines).toEqual(["pay version 2, 1 rule, deadline 250 ms", "  pay.block (call): pay; 2 examples"]);
  });

  it("test runs the examples of a source and of a signed file", async () => {
    const lines = ["ok   pay.block #1", "ok   pay.block #2", "2 examples hold"];
    expect(await test({ path: entry, now_ms })).toMatchObject({ exitCode: 0, lines });
    expect(await test({ path: signed, trust: { trust: [`${keyPath}.pub`], keyring: null }, now_ms })).toMatchObject({
      exitCode: 0,
      lines,
    });
  });

  it("test answers 1 where one fails, and 2 where there is nothing to test", async () => {
    const bad = await workshop.write("bad2.ts", sourceOf().replaceAll('expect: "silent"', 'expect: "allow"'));
    expect(await test({ path: bad, now_ms })).toMatchObject({
      exitCode: 1,
      lines: ["ok   pay.block #1", "FAIL pay.block #2: expected allow, got silent", "1 of 2 examples failed"],
    });
    expect(await test({ path: join(workshop.folder, "no.ts"), now_ms })).toMatchObject({ exitCode: 2 });
  });
});
