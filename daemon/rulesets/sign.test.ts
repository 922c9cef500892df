import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { signRuleSet } from "./sign.ts";
import { now_ms, openWorkshop, sourceOf, type Workshop } from "./testing.ts";

const key = generateKeyPair();
let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

let count = 0;
const sign = async (source: string, name = `s${++count}.ts`) => {
  const entry = await workshop.write(name, source);
  const out = `${entry}.ruleset.json`;
  return { entry, out, signing: signRuleSet({ entry, key, out, now_ms, not_after_ms: null }) };
};
const refused = async (source: string, code: string, words: RegExp): Promise<void> => {
  const { out, signing } = await sign(source);
  await expect(signing).rejects.toMatchObject({ code });
  await expect(signing).rejects.toThrow(words);
  await expect(signing).rejects.toThrow(/^[^\n]{10,500}$/);
  await expect(readFile(out)).rejects.toMatchObject({ code: "ENOENT" });
};

describe("signing", () => {
  it("names every source reached by relative import, every package and every builtin", async () => {
    await workshop.write("lib/limit.ts", "export const limit: number = 10;");
    await workshop.write("lib/unused.ts", "export const unused = 1;");
    const before = `
      import { readFileSync } from "fs";
      import ipaddr from "ipaddr.js";
      import { limit } from "./lib/limit.ts";
      export const use = () => [ipaddr.isValid("1.1.1.1"), limit, readFileSync];`;
    const { signing } = await sign(sourceOf({ before }), "entry.ts");
    const manifest = await signing;
    expect(manifest).toMatchObject({
      id: "pay",
      version: 1,
      created: "2026-01-02T03:04:05Z",
      not_after: null,
      entry: "entry.ts",
      builtins: ["node:fs"],
    });
    expect(manifest.sources.map(({ path }) => path)).toEqual(["entry.ts", "lib/limit.ts"]);
    const limit = createHash("sha256").update("export const limit: number = 10;").digest("hex");
    expect(manifest.sources[1]!.sha256).toBe(limit);
    expect(manifest.packages.map(({ name }) => name)).toEqual(["interlock", "ipaddr.js"]);
    const lock = JSON.parse(await readFile(join(workshop.folder, "node_modules/.package-lock.json"), "utf8"));
    expect(manifest.packages[1]).toEqual({
      name: "ipaddr.js",
      version: lock.packages["node_modules/ipaddr.js"].version,
      integrity: lock.packages["node_modules/ipaddr.js"].integrity,
    });
    expect(manifest.packages[0]!.integrity).toMatch(/^sha256-[A-Za-z0-9+/]{43}=$/);
  });

  it("takes the integrity of a package without a lockfile from its files", async () => {
    await workshop.write("own/node_modules/tiny/package.json", '{"name":"tiny","version":"1.2.3","main":"i.js"}');
    await workshop.write("own/node_modules/tiny/i.js", "module.exports = 1;");
    const before = 'import tiny from "tiny"; export const use = tiny;';
    const { signing } = await sign(sourceOf({ before }), "own/entry.ts");
    const { packages } = await signing;
    expect(packages.find(({ name }) => name === "tiny")).toMatchObject({ version: "1.2.3" });
    expect(packages.find(({ name }) => name === "tiny")!.integrity).toMatch(/^sha256-/);
  });

  it("gives the same bytes for the same inputs, in another folder too", async () => {
    const before = 'import ipaddr from "ipaddr.js"; export const use = ipaddr;';
    const first = await sign(sourceOf({ before }), "same.ts");
    await first.signing;
    const deeper = join(workshop.folder, "a/b/c");
    await mkdir(deeper, { recursive: true });
    await cp(first.entry, join(deeper, "same.ts"));
    const out = join(deeper, "x.ruleset.json");
    await signRuleSet({ entry: join(deeper, "same.ts"), key, out, now_ms, not_after_ms: null });
    expect(await readFile(out, "utf8")).toBe(await readFile(first.out, "utf8"));
  });

  it("writes no path of the machine into the file", async () => {
    const before = 'import ipaddr from "ipaddr.js"; export const use = ipaddr;';
    const { out, signing } = await sign(sourceOf({ before }));
    await signing;
    const text = await readFile(out, "utf8");
    expect(text).not.toContain(workshop.folder);
    expect(text).not.toContain("node_modules");
  });

  it("replaces the file whole and leaves nothing beside it", async () => {
    const { entry, out, signing } = await sign(sourceOf(), "again/entry.ts");
    await signing;
    await writeFile(entry, sourceOf({ version: 2 }));
    await signRuleSet({ entry, key, out, now_ms, not_after_ms: null });
    expect(JSON.parse(await readFile(out, "utf8")).manifest.version).toBe(2);
    expect((await readdir(join(workshop.folder, "again"))).sort()).toEqual(["entry.ts", "entry.ts.ruleset.json"]);
  });

  it("keeps the file that is there when the new rules are refused", async () => {
    const { entry, out, signing } = await sign(sourceOf(), "kept/entry.ts");
    await signing;
    await writeFile(entry, sourceOf({ version: 2 }).replace('expect: "silent"', 'expect: "block"'));
    await expect(signRuleSet({ entry, key, out, now_ms, not_after_ms: null })).rejects.toMatchObject({
      code: "examples_failed",
    });
    expect(JSON.parse(await readFile(out, "utf8")).manifest.version).toBe(1);
  });
});

describe("nothing is signed", () => {
  it("when the entry is missing", async () => {
    const request = { entry: join(workshop.folder, "no.ts"), key, out: "x", now_ms, not_after_ms: null };
    await expect(signRuleSet(request)).rejects.toMatchObject({ code: "entry_unreadable" });
  });
  it("when its end has passed", async () => {
    const entry = await workshop.write("late.ts", sourceOf());
    await expect(signRuleSet({ entry, key, out: "x", now_ms, not_after_ms: now_ms })).rejects.toMatchObject({
      code: "not_after_passed",
    });
  });
  it("when the file cannot be written", async () => {
    const entry = await workshop.write("unwritten.ts", sourceOf());
    const out = join(workshop.folder, "no/x.ruleset.json");
    await expect(signRuleSet({ entry, key, out, now_ms, not_after_ms: null })).rejects.toMatchObject({
      code: "not_written",
    });
  });
  it("when the source does not parse", () => refused("export default {", "does_not_bundle", /:1\)/));
  it("when an import cannot be found", () =>
    refused(sourceOf({ before: 'import "./missing.ts";' }), "does_not_bundle", /missing/));
  it("when it imports what interlock does not export", () =>
    refused(sourceOf({ before: 'import "interlock/daemon";' }), "does_not_bundle", /interlock\/rules/));
  it.each(["child_process", "worker_threads", "cluster", "vm", "inspector", "module", "repl", "process", "v8", "wasi"])(
    "when it requires %s",
    (name) =>
      refused(
        sourceOf({ before: `import * as it from "node:${name}"; export const use = () => it;` }),
        "forbidden_builtin",
        new RegExp(name),
      ),
  );
  it("when an example fails", () =>
    refused(sourceOf().replace('expect: "silent"', 'expect: "block"'), "examples_failed", /pay\.block: example 2/));
  it("when its module throws", () => refused(sourceOf({ before: "throw new Error('x');" }), "module_threw", /Error/));
  it("when it has no rules", () =>
    refused(
      'import { defineRules } from "interlock/rules"; export default defineRules({ id: "a", version: 1, rules: [] });',
      "empty",
      /no rules/,
    ));
  it("when it exports no rule set", () => refused("export const a = 1;", "bad_module", /defineRules/));
});
