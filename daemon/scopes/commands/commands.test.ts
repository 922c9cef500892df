import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicKeyText } from "../../keys/payload.ts";
import { generateKeyPair } from "../../keys/private-key.ts";
import { writeKeyPair } from "../../keys/write-key-pair.ts";
import type { CandidateRequest } from "../candidate.ts";
import { text } from "../testing.ts";
import { check } from "./check.ts";
import { diff } from "./diff.ts";
import { explain } from "./explain.ts";
import { cosign, sign } from "./sign.ts";

const now_ms = Date.UTC(2026, 10, 30);
let directory: string;
const keys: string[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "il-"));
  const made = [generateKeyPair(), generateKeyPair()];
  for (const [at, key] of made.entries()) keys.push((await writeKeyPair(join(directory, `key${at}`), key)).privatePath);
  const believed = made.map(({ keyId, publicKey }) => ({
    key_id: keyId,
    public: publicKeyText(publicKey),
    roles: ["scopes"],
  }));
  await writeFile(
    join(directory, "keyring.json"),
    JSON.stringify({ v: 1, keys: believed, thresholds: { scopes: 2 } }),
    { mode: 0o644 },
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

let files = 0;
const put = async (source: string): Promise<string> => {
  const path = join(directory, `scopes-${++files}.yaml`);
  await writeFile(path, source);
  return path;
};
const candidate = (path: string): CandidateRequest => ({
  path,
  trust: async () => ({ trust: [], keyring: { path: join(directory, "keyring.json"), whenMissing: "refuse" } }),
  now_ms,
});
const scopes = (max: number, more = ""): string =>
  text(`  a: [{ template: ceiling, params: { max: ${max} } }, { template: hosts, params: { allowed: [x] } }]\n${more}`);

describe("interlock scope", () => {
  it("check: what a document holds, and each problem of one that does not hold together", async () => {
    const good = await check(candidate(await put(scopes(5, "  a/b: [{ template: hosts, enabled: false }]"))));
    expect(good).toMatchObject({ exitCode: 0 });
    expect(good.lines).toEqual([
      "acme version 1: 4 templates, 2 scopes, without end",
      "  template ceiling: max (a larger one grants more)",
      "  template hosts: allowed (a longer list grants more)",
      "  template words: denied (a shorter list grants more)",
      "  template currency: only (a delegate's is its delegator's)",
      "  scope a: ceiling, hosts",
      "  scope a/b: ceiling",
    ]);
    const bad = await check(candidate(await put(scopes(5, "  a//b: []\n  c: [{ template: none }]"))));
    expect(bad).toMatchObject({ exitCode: 1, json: { ok: false, code: "scope_malformed" } });
    expect(bad.json.details).toHaveLength(2);
    const over = await check(candidate(await put(text("  a: []", 'not_after: "2020-01-01T00:00:00Z"\n'))));
    expect(over).toMatchObject({ exitCode: 1, json: { code: "expired" } });
  });

  it("check: a file that is not there, is too large, or is no text", async () => {
    expect(await check(candidate(join(directory, "none.yaml")))).toMatchObject({
      exitCode: 1,
      json: { code: "unreadable" },
    });
    expect(await check(candidate(directory))).toMatchObject({ exitCode: 1, json: { code: "unreadable" } });
    const large = await put(`${scopes(5)}# ${"x".repeat(1024 * 1024)}`);
    expect(await check(candidate(large))).toMatchObject({ exitCode: 1, json: { code: "too_large" } });
    const path = join(directory, "latin.yaml");
    await writeFile(path, Buffer.from([0x69, 0x64, 0x3a, 0xff]));
    expect(await check(candidate(path))).toMatchObject({ exitCode: 1, json: { code: "malformed" } });
  });

  it("sign and cosign: the pin stays, and both signatures are needed where two are", async () => {
    const path = await put(scopes(5));
    const signed = await sign({ path, keyPath: keys[0] as string, now_ms });
    const out = signed.json.path as string;
    expect(signed.exitCode).toBe(0);
    expect(await check(candidate(out))).toMatchObject({ exitCode: 1, json: { code: "document_too_few_signatures" } });
    const cosigned = await cosign({ path: out, keyPath: keys[1] as string, now_ms });
    expect(cosigned).toMatchObject({ exitCode: 0, json: { pin: signed.json.pin } });
    expect(await check(candidate(out))).toMatchObject({ exitCode: 0, json: { pin: signed.json.pin } });
  });

  it("sign: what does not hold together is not signed, and what was signed before stays", async () => {
    const path = await put(scopes(5));
    const signed = await sign({ path, keyPath: keys[0] as string, now_ms });
    const before = await readFile(signed.json.path as string, "utf8");
    await writeFile(path, scopes(5, "  b: [{ template: ceiling, params: { max: 9 }, delegated_from: a }]"));
    const refused = await sign({ path, keyPath: keys[0] as string, now_ms });
    expect(refused).toMatchObject({ exitCode: 2, json: { code: "delegation_over_grant" } });
    await writeFile(path, text("  a: []", 'not_after: "2020-01-01T00:00:00Z"\n'));
    expect(await sign({ path, keyPath: keys[0] as string, now_ms })).toMatchObject({
      exitCode: 2,
      json: { code: "expired" },
    });
    expect(await readFile(signed.json.path as string, "utf8")).toBe(before);
  });

  it("sign: where it cannot be written nothing is", async () => {
    const [path, out] = [await put(scopes(5)), join(directory, "none", "out.json")];
    expect(await sign({ path, keyPath: keys[0] as string, now_ms, out })).toMatchObject({
      exitCode: 2,
      json: { code: "not_written" },
    });
  });

  it("explain: what holds and where it comes from; no where everything is blocked", async () => {
    const path = await put(
      scopes(5, "  a/b: [{ template: hosts, params: { allowed: [y] } }, { template: ceiling, enabled: false }]"),
    );
    expect(await explain({ ...candidate(path), principal: "a/b/c" })).toMatchObject({
      exitCode: 0,
      lines: [
        '"a/b/c" by acme version 1: scope a/b',
        "hosts, bound at a/b",
        '  allowed ["x","y"], from a, a/b',
        "ceiling is removed",
      ],
    });
    expect(await explain({ ...candidate(path), principal: "A" })).toMatchObject({
      exitCode: 1,
      lines: ['"A" by acme version 1: no scope is on its path', "so: every call is blocked (scope_unknown)"],
    });
  });

  it("diff: what each principal gains and loses", async () => {
    const before = candidate(
      await put(
        scopes(
          5,
          "  a/b: [{ template: ceiling, params: { max: 3 } }]\n  gone: [{ template: ceiling, params: { max: 1 } }]",
        ),
      ),
    );
    const after = candidate(
      await put(
        scopes(
          4,
          "  a/b: [{ template: ceiling, params: { max: 6 } }]\n  new: [{ template: ceiling, params: { max: 1 } }]",
        ),
      ),
    );
    const found = await diff({ before, after });
    expect(found).toMatchObject({ exitCode: 1, json: { gains: 2, loses: 2, unclear: 0 } });
    expect(found.lines).toEqual([
      "a: ceiling when amount gt 5 -> 4 (loses)",
      "a/b: ceiling when amount gt 3 -> 6 (gains)",
      "gone: is unknown (loses)",
      "new: was unknown (gains)",
      "2 gain, 2 lose, 0 unclear",
    ]);
    expect(await diff({ before: after, after })).toMatchObject({ exitCode: 0, lines: ["0 gain, 0 lose, 0 unclear"] });
  });
});
