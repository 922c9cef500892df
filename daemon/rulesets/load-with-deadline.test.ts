import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateKeyPair } from "../keys/private-key.ts";
import { trustIn } from "../keys/trust.ts";
import { loadRuleSets } from "./load.ts";
import { checkRuleSetsWithDeadline } from "./load-with-deadline.ts";
import type { RuleSetFile } from "./signed-file.ts";
import { believing, changed, now_ms, openWorkshop, signAnything, sourceOf, type Workshop } from "./testing.ts";

const key = generateKeyPair();
/** The worker as it is shipped; `npm run build` makes it, and `npm test` does that first. */
const worker = new URL("../../dist/bin/loading-worker.js", import.meta.url);
let workshop: Workshop;
let good: RuleSetFile;
beforeAll(async () => {
  workshop = await openWorkshop();
  good = await workshop.sign(sourceOf({ version: 5 }), key);
});
afterAll(() => workshop.close());

const check = (files: readonly RuleSetFile[], deadline_ms = 10_000, served = new Map()) =>
  checkRuleSetsWithDeadline({ files, trust: believing(key), served, now_ms, deadline_ms, worker });

const exampleThat = (evaluate: string): string =>
  `exports.default = { id: "pay", version: 1, rules: [{ id: "r", actions: ["pay"], phase: "call", evaluate: ${evaluate},
    examples: [{ event: { action: "pay", args: {} }, expect: "silent" }] }] };`;

describe("loading in a thread with a deadline", () => {
  it("finds the digest that loading finds", async () => {
    const rules = await loadRuleSets({
      files: [good],
      trust: trustIn("rules", [key.publicKey]),
      served: new Map(),
      now_ms,
      examples: "run",
    });
    expect(await check([good])).toEqual({
      digest: rules.digest,
      version: 5,
      sets: [{ id: "pay", version: 5, digest: rules.sets[0]!.digest, keyIds: [key.keyId], rules: 1, examples: 2 }],
    });
  });

  it("hands on a refusal with its code", async () => {
    const served = new Map([["pay", { version: 9, digest: "sha256:x" }]]);
    await expect(check([good], 10_000, served)).rejects.toMatchObject({ code: "rolled_back" });
    const unsigned = changed(good, (value) => delete value.signature);
    await expect(check([unsigned])).rejects.toMatchObject({ code: "unsigned" });
  });

  it.each([
    ["a module whose top level loops", "for (;;) {}"],
    ["an example that loops", exampleThat("() => { for (;;) {} }")],
    ["an example that hangs in a regular expression", exampleThat(`() => { /^(a+)+$/.test("a".repeat(60) + "b"); }`)],
  ])("ends %s, and loads the next set as before", { timeout: 20_000 }, async (_what, code) => {
    const started_ms = performance.now();
    await expect(check([signAnything(code, key)], 400)).rejects.toMatchObject({ code: "load_overran" });
    expect(performance.now() - started_ms).toBeLessThan(5_000);
    await expect(check([good])).resolves.toMatchObject({ version: 5 });
  });

  it("refuses a module that ends its thread", async () => {
    await expect(check([signAnything("process.exit(0)", key)])).rejects.toMatchObject({ code: "load_crashed" });
  });

  it("refuses a module that throws out of turn", async () => {
    const code = `${exampleThat("() => new Promise(() => {})")} setTimeout(() => { throw new Error("secret"); }, 1);`;
    const checking = check([signAnything(code, key)]);
    await expect(checking).rejects.toMatchObject({ code: "load_crashed" });
    await expect(checking).rejects.not.toThrow("secret");
  });

  it("says so where the worker was not built", async () => {
    const request = { files: [good], trust: believing(key), served: new Map(), now_ms };
    const checking = checkRuleSetsWithDeadline({ ...request, worker: new URL("file:///no/worker.js") });
    await expect(checking).rejects.toMatchObject({ code: "load_crashed" });
  });
});
