import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { trustIn } from "../keys/trust.ts";
import { loadRuleSets } from "./load.ts";
import type { ServedVersions } from "./rollback.ts";
import { type RuleSetFile, readRuleSetFiles } from "./signed-file.ts";
import { changed, now_ms, openWorkshop, signAnything, sourceOf, type Workshop } from "./testing.ts";

const key = generateKeyPair();
const other = generateKeyPair();
let workshop: Workshop;
let good: RuleSetFile;
beforeAll(async () => {
  workshop = await openWorkshop();
  good = await workshop.sign(sourceOf({ version: 5 }), key);
});
afterAll(() => workshop.close());

const load = (files: readonly RuleSetFile[], served: ServedVersions = new Map(), at_ms = now_ms) =>
  loadRuleSets({
    files,
    trust: trustIn("rules", [other.publicKey, key.publicKey]),
    served,
    now_ms: at_ms,
    examples: "run",
  });

const setCode = (rules: string, id = "pay", version = 1): string =>
  `exports.default = { id: ${JSON.stringify(id)}, version: ${version}, rules: ${rules} };`;
const rule = (id: string, evaluate: string, expected = "silent"): string =>
  `{ id: "${id}", actions: ["pay"], phase: "call", evaluate: ${evaluate}, examples: [{ event: { action: "pay", args: {} }, expect: "${expected}" }] }`;

const refused = async (loading: Promise<unknown>, code: string): Promise<void> => {
  await expect(loading).rejects.toMatchObject({ name: "RuleSetRefused", code });
  await expect(loading).rejects.toThrow(/^[^\n]{10,400}$/);
};

describe("a signed rule set", () => {
  it("loads as frozen rules with the digest of what was signed", async () => {
    const rules = await load([good]);
    expect(rules.version).toBe(5);
    expect(rules.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const [set] = rules.sets;
    expect(set).toMatchObject({ id: "pay", version: 5, keyIds: [key.keyId], deadline_ms: 250, resolvers: {} });
    expect(set!.rules.map(({ id }) => id)).toEqual(["pay.block"]);
    for (const value of [rules, rules.sets, set, set!.rules, set!.rules[0], set!.rules[0]!.examples[0]!.event.args])
      expect(Object.isFrozen(value)).toBe(true);
  });

  it("has the same digest each time, and another one in another order", async () => {
    const second = await workshop.sign(sourceOf({ id: "other" }), key);
    const both = await load([good, second]);
    expect((await load([good, second])).digest).toBe(both.digest);
    expect((await load([second, good])).digest).not.toBe(both.digest);
    expect(both.version).toBe(6);
  });

  it("loads again when the very same version and bytes were served", async () => {
    const { sets } = await load([good]);
    const served = new Map([["pay", { version: 5, digest: sets[0]!.digest }]]);
    await expect(load([good], served)).resolves.toMatchObject({ version: 5 });
  });

  it("loads until the moment that it expires", async () => {
    const file = await workshop.sign(sourceOf(), key, { not_after_ms: now_ms + 60_000 });
    await expect(load([file], new Map(), now_ms + 59_000)).resolves.toMatchObject({ version: 1 });
    await refused(load([file], new Map(), now_ms + 60_000), "expired");
  });
});

describe("a rule set is refused", () => {
  it("when its file is missing", () => refused(readRuleSetFiles([join(workshop.folder, "no")]), "unreadable"));
  it("when its file is a directory", () => refused(readRuleSetFiles([workshop.folder]), "unreadable"));

  it.each([
    ["empty", ""],
    ["source", sourceOf()],
    ["an array", "[]"],
    ["null", "null"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["cut short", undefined],
  ])("when its file is %s", async (_what, text) => {
    const bytes = text === undefined ? good.bytes.slice(0, -10) : Buffer.from(text as string);
    await refused(load([{ path: "f", bytes }]), "malformed");
  });

  it("when it has no signature", () => refused(load([changed(good, (value) => delete value.signature)]), "unsigned"));
  it("when it has no key id", () => refused(load([changed(good, (value) => delete value.key_id)]), "unsigned"));
  it("when it has a further key", () =>
    refused(
      load([
        changed(good, (value) => {
          value.note = 1;
        }),
      ]),
      "malformed",
    ));

  it.each(["", "AAAA", "!".repeat(88), 5])("when its signature is %j", (signature) =>
    refused(
      load([
        changed(good, (value) => {
          value.signature = signature;
        }),
      ]),
      "malformed",
    ),
  );

  it("when it is signed by a key that is not trusted", async () => {
    const stranger = generateKeyPair();
    await refused(load([await workshop.sign(sourceOf(), stranger)]), "wrong_key");
  });

  it("when it claims another key than the one that signed it", () =>
    refused(
      load([
        changed(good, (value) => {
          value.key_id = other.keyId;
        }),
      ]),
      "bad_signature",
    ));

  it.each(["id", "version", "not_after", "created", "entry", "bundle_sha256", "builtins", "sources", "packages"])(
    "when %s of its manifest was altered",
    (name) =>
      refused(
        load([
          changed(good, (value) => {
            (value.manifest as Record<string, unknown>)[name] = name === "version" ? 6 : "2027-01-01T00:00:00Z";
          }),
        ]),
        "bad_signature",
      ),
  );

  it("when its bundle was altered", () =>
    refused(
      load([
        changed(good, (value) => {
          value.bundle = `${value.bundle as string} `;
        }),
      ]),
      "altered",
    ));

  it.each([
    ["another key", { extra: 1 } as object],
    ["a builtin that no rule set may use", { builtins: ["node:child_process"] }],
    ["a builtin without its prefix", { builtins: ["fs"] }],
    ["a version of 0", { version: 0 }],
    ["a version of 1.5", { version: 1.5 }],
    ["an empty id", { id: "" }],
    ["a time that is not one", { not_after: "2026-13-01T00:00:00Z" }],
    ["an entry that is no source", { entry: "x.ts" }],
  ])("when its manifest, though signed, has %s", (_what, change) =>
    refused(load([signAnything(setCode("[]"), key, change)]), "malformed"),
  );

  it("when an older version than the last served is offered", () =>
    refused(load([good], new Map([["pay", { version: 6, digest: "sha256:x" }]])), "rolled_back"));
  it("when the same version with other bytes is offered", () =>
    refused(load([good], new Map([["pay", { version: 5, digest: "sha256:x" }]])), "rolled_back"));
  it("when none is configured", () => refused(load([]), "empty"));
  it("when it has no rules", () => refused(load([signAnything(setCode("[]"), key)]), "empty"));
  it("when its module throws", () =>
    refused(load([signAnything("throw new RangeError('secret')", key)]), "module_threw"));
  it("when its module does not parse", () => refused(load([signAnything("}", key)]), "module_threw"));
  it("when its module exports nothing", () => refused(load([signAnything("", key)]), "bad_module"));
  it("when its module exports a promise", () =>
    refused(load([signAnything("exports.default = Promise.resolve({})", key)]), "bad_module"));
  it("when its module is another version than its manifest says", () =>
    refused(load([signAnything(setCode(`[${rule("r", "() => undefined")}]`, "pay", 2), key)]), "bad_module"));
  it("when its module is another set than its manifest says", () =>
    refused(load([signAnything(setCode(`[${rule("r", "() => undefined")}]`, "x"), key)]), "bad_module"));

  it("when a module requires what its manifest does not name", () =>
    refused(load([signAnything("require('node:fs')", key)]), "module_threw"));
  it.each(["child_process", "node:vm", "worker_threads", "module", "./x.js", "better-sqlite3"])(
    "when a module requires %s, whatever its manifest names",
    (name) =>
      refused(load([signAnything(`require(${JSON.stringify(name)})`, key, { builtins: ["node:fs"] })]), "module_threw"),
  );
  it("when a module imports at run time", () =>
    refused(load([signAnything(`${setCode(`[${rule("r", "() => import('node:fs')")}]`)}`, key)]), "examples_failed"));

  it("when the same set is named twice", () => refused(load([good, good]), "duplicate"));
  it("when a rule id is used in two sets", async () => {
    const twin = await workshop.sign(sourceOf({ id: "twin", rule: "pay.block" }), key);
    await refused(load([good, twin]), "duplicate");
  });

  it("never quotes what a module threw", async () => {
    await expect(load([signAnything("throw new RangeError('secret')", key)])).rejects.toThrow(
      /^(?!.*secret).*RangeError/,
    );
  });

  it("when one of several is refused, before any module runs", async () => {
    const mark = join(workshop.folder, "ran");
    await mkdir(mark);
    const runs = signAnything(`require("node:fs").writeFileSync(${JSON.stringify(join(mark, "x"))}, "")`, key, {
      builtins: ["node:fs"],
    });
    await refused(load([runs, changed(good, (value) => delete value.signature)]), "unsigned");
    await expect(writeFile(join(mark, "x"), "", { flag: "wx" })).resolves.toBeUndefined();
  });
});

describe("examples", () => {
  const failing = (evaluate: string, expected: string, becomes?: string): RuleSetFile =>
    signAnything(
      `exports.default = { id: "pay", version: 1, rules: [{ id: "r", actions: ["pay"], phase: "call", evaluate: ${evaluate},
        examples: [{ event: { action: "pay", args: { a: 1, b: 2 } }, expect: "${expected}"${becomes ? `, becomes: ${becomes}` : ""} }] }] };`,
      key,
    );
  const rewriting = (args: string): string =>
    `() => ({ kind: "rewrite", args: ${args}, reason: "x", policyId: undefined, attributedTo: null })`;

  it.each([
    ["expected block, got silent", failing("() => undefined", "block")],
    ["expected silent, got block", failing('() => ({ kind: "block" })', "silent")],
    ["expected block, got something that is not an answer", failing('() => "block"', "block")],
    ["expected silent, got something that is not an answer", failing("() => null", "silent")],
    ["threw TypeError", failing("() => { throw new TypeError('secret'); }", "block")],
    ["threw RangeError", failing("async () => { throw new RangeError('secret'); }", "block")],
    [
      'threw escalate: by must be "client" or "operator"',
      failing(
        `() => {
          const error = new Error('escalate: by must be "client" or "operator"');
          error.name = "RuleDefinitionError";
          throw error;
        }`,
        "block",
      ),
    ],
    ["rewrote to something else than `becomes`", failing(rewriting("{ a: 2 }"), "rewrite", "{ a: 1, b: 2 }")],
    ["rewrote to what has no JSON form", failing(rewriting("{ a: new Date() }"), "rewrite", "{ a: 1, b: 2 }")],
  ])("refuse a set: %s", async (line, file) => {
    const loading = load([file]);
    await refused(loading, "examples_failed");
    await expect(loading).rejects.toThrow(line);
    await expect(loading).rejects.not.toThrow("secret");
  });

  it("refuse a set that never answers", { timeout: 20_000 }, async () => {
    const loading = load([failing("() => new Promise(() => {})", "block")]);
    await refused(loading, "examples_failed");
    await expect(loading).rejects.toThrow("gave no answer");
  });

  it("are not run again for bytes whose examples held before", async () => {
    const file = failing("() => undefined", "block");
    const request = {
      files: [file],
      trust: trustIn("rules", [key.publicKey]),
      served: new Map(),
      now_ms,
      examples: "held_before",
    } as const;
    await expect(loadRuleSets(request)).resolves.toMatchObject({ version: 1 });
  });

  it("are run again for each set that the memory does not know, and for no other", async () => {
    const known = failing("() => undefined", "block");
    const digests = new Set<string>();
    const request = { trust: trustIn("rules", [key.publicKey]), served: new Map(), now_ms, examples: digests } as const;
    await refused(loadRuleSets({ ...request, files: [known] }), "examples_failed");
    const { sets } = await loadRuleSets({ ...request, files: [known], examples: "held_before" });
    digests.add(sets[0]!.digest);
    await expect(loadRuleSets({ ...request, files: [known] })).resolves.toMatchObject({ version: 1 });
    const unknown = failing("() => 7", "block");
    await refused(loadRuleSets({ ...request, files: [unknown] }), "examples_failed");
  });

  it("see a removed argument as gone, and facts only by their own names", async () => {
    const source = `
      import { block, defineRules, remove, rewrite } from "interlock/rules";
      export default defineRules({ id: "pay", version: 1, rules: [
        { id: "a", actions: ["pay"], phase: "call", evaluate: () => rewrite({ token: remove }),
          examples: [{ event: { action: "pay", args: { token: "t", to: "x" } }, expect: "rewrite", becomes: { to: "x" } }] },
        { id: "b", actions: ["pay"], phase: "call",
          evaluate: async ({ args }, { lookup }) => (await lookup("orders", args.id)) ? undefined : block("unknown"),
          examples: [
            { event: { action: "pay", args: { id: "1" } }, given: { orders: { 1: { a: 1 } } }, expect: "silent" },
            { event: { action: "pay", args: { id: "toString" } }, given: { orders: {} }, expect: "block" },
            { event: { action: "pay", args: {} }, given: { orders: {} }, expect: "block" },
            { event: { action: "pay", args: { id: "1" } }, expect: "block" },
          ] },
      ] });`;
    await expect(load([await workshop.sign(source, key)])).resolves.toMatchObject({ version: 1 });
  });
});
