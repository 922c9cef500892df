import { chmod, copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generateKeyPair } from "../../daemon/keys/private-key.ts";
import { writeKeyPair } from "../../daemon/keys/write-key-pair.ts";
import { signRuleSet } from "../../daemon/rulesets/sign.ts";
import { runDaemon, startDaemon } from "../kit/daemon.ts";
import { expectRefused } from "../kit/expect-refused.ts";
import { makePlace, type Place, putRules, shortDirectory, signingKey } from "../kit/place.ts";
import { plainRule, ruleModule } from "../kit/rules.ts";

const good = ruleModule(plainRule());

interface SignedText {
  manifest: Record<string, unknown>;
  signature?: string;
  bundle: string;
}

const alter = async (place: Place, change: (signed: SignedText) => void): Promise<void> => {
  const signed = JSON.parse(await readFile(place.rules, "utf8")) as SignedText;
  change(signed);
  await writeFile(place.rules, JSON.stringify(signed));
};

test("an unsigned rule set", async () => {
  const place = await makePlace(good);
  await alter(place, (signed) => {
    delete signed.signature;
  });
  await expectRefused(place, 2, /rule set \S+rules\.ruleset\.json .*(sign|format)/);
});

test("a manifest that was altered after signing", async () => {
  const place = await makePlace(good);
  await alter(place, ({ manifest }) => {
    manifest.version = 7;
  });
  await expectRefused(place, 2, /was altered: its signature does not hold/);
});

test("a bundle that was altered after signing", async () => {
  const place = await makePlace(good);
  await alter(place, (signed) => {
    signed.bundle = `${signed.bundle};`;
  });
  await expectRefused(place, 2, /was altered: its bundle is not the one that was signed/);
});

test("an expired rule set", async () => {
  const place = await makePlace(good);
  const entry = join(shortDirectory(), "r.ts");
  await writeFile(entry, good);
  const now_ms = Date.now() - 60_000;
  const { key } = await signingKey();
  await signRuleSet({ entry, key, out: place.rules, now_ms, not_after_ms: now_ms + 30_000 });
  await expectRefused(place, 2, /expired at .*sign it again/);
});

test("a rule set of a key that is not trusted", async () => {
  const place = await makePlace(good);
  const other = await writeKeyPair(join(place.home, "other"), generateKeyPair());
  await expectRefused(place, 2, /signed by key \S+, which is not trusted/, ["--trust", other.publicPath]);
});

test("an older version than the one last served, and the same version with other contents", async () => {
  const place = await makePlace(ruleModule(plainRule(), { version: 2 }));
  await (await startDaemon(place)).stop();
  await putRules(place, good);
  await expectRefused(place, 2, /is version 1 of kit; version 2 was served/);
  await putRules(place, ruleModule(plainRule("other"), { version: 2 }));
  await expectRefused(place, 2, /version 2 of kit with other contents/);
  await putRules(place, ruleModule(plainRule("other"), { version: 3 }));
  const daemon = await startDaemon(place);
  expect((await daemon.stop()).code).toBe(0);
});

/** For a module that is well while it is signed, and not where the daemon's threads load it. */
const served = "const served = /(engine|loading)-worker\\.js$/.test(process.argv[1]);";

test("a rule set that is empty when it is served", async () => {
  const place = await makePlace(
    `import { block, defineRules } from "interlock/rules";
${served}
const rules = [${plainRule().replace("allow()", "undefined").replace('expect: "allow"', 'expect: "silent"')}];
export default defineRules({ id: "kit", version: 1, rules: served ? [] : rules });`,
  );
  await expectRefused(place, 2, /no rules; an empty set would judge nothing/);
});

test("an example that does not hold when it is served", async () => {
  const place = await makePlace(
    ruleModule(plainRule().replace('block("is bad"', 'served ? undefined : block("is bad"'), { before: served }),
  );
  await expectRefused(place, 2, /1 of its examples failed: rule plain: example 1: expected block, got silent/);
});

test("a module that throws: its error's type is told, its message is not", async () => {
  const place = await makePlace(
    ruleModule(plainRule(), { before: `${served} if (served) throw new TypeError("secret-in-a-message");` }),
  );
  const { stderr } = await expectRefused(place, 2, /rule set kit threw TypeError while its module ran/);
  expect(stderr).not.toContain("secret-in-a-message");
});

test("a module that hangs is refused after 5 s, by a start and by --check", async () => {
  const source = ruleModule(plainRule(), { before: `${served} if (served) for (;;);` });
  const [started, checked] = [await makePlace(source), await makePlace(source)];
  const before_ms = Date.now();
  await Promise.all([
    expectRefused(started, 2, /its module does not end within 5000 ms/),
    expectRefused(checked, 2, /its module does not end within 5000 ms/, ["--check"]),
  ]);
  expect(Date.now() - before_ms).toBeGreaterThan(4_500);
});

test("a rules file that is missing, and one that is not a file", async () => {
  const place = await makePlace(good);
  await rm(place.rules);
  await expectRefused(place, 2, /rule set \S+ cannot be read \(ENOENT\)/);
  await expectRefused(place, 2, /rule set \S+ is not a regular file/, ["--rules", place.home]);
});

test("a trust file that is missing, or that others can write", async () => {
  const place = await makePlace(good);
  await expectRefused(place, 2, /public key \S+ does not exist/, ["--trust", join(place.home, "none.pub")]);
  const open = join(place.home, "open.pub");
  await copyFile(place.trust, open);
  await chmod(open, 0o666);
  await expectRefused(place, 2, /can be written by other users; chmod 644 it/, ["--trust", open]);
});

test("--check verifies configuration, rules and examples, and leaves nothing behind", async () => {
  const place = await makePlace(good);
  const { code, stderr } = await runDaemon(place, ["--check"]);
  expect(stderr).toMatch(/^interlock-sidecar: 1 rules? loaded from \S+\n$/);
  expect(code).toBe(0);
  await alter(place, (signed) => {
    signed.bundle += " ";
  });
  await expectRefused(place, 2, /was altered/, ["--check"]);
});
