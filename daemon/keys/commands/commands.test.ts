import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandResult } from "../../commands/command-result.ts";
import type { KeyringPlaces } from "../change-keyring.ts";
import { passphraseFromFile } from "../passphrase.ts";
import { readPrivateKey } from "../read-private-key.ts";
import { isSealedText } from "../sealed-key.ts";
import { readTrust } from "../trust-files.ts";
import { accept } from "./accept.ts";
import { handover } from "./handover.ts";
import { keygen } from "./keygen.ts";
import { list } from "./list.ts";
import { revoke } from "./revoke.ts";
import { seal, unseal } from "./seal.ts";
import { threshold } from "./threshold.ts";
import { type ListingTerms, newKey, trust } from "./trust.ts";

const now_ms = Date.UTC(2027, 0, 1, 12);
const day_ms = 86_400_000;
const terms = (change: Partial<ListingTerms> = {}): ListingTerms => ({
  roles: ["rules"],
  not_before_ms: null,
  not_after_ms: null,
  comment: null,
  ...change,
});
const nobody = async (): Promise<string> => {
  throw new Error("no passphrase is asked for");
};

let folder: string;
let here: KeyringPlaces;
let there: KeyringPlaces;
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "interlock-keyring-"));
  here = { trust: [], keyring: { path: at("keyring.json"), whenMissing: "none" } };
  there = { trust: [], keyring: { path: at("other.json"), whenMissing: "none" } };
});
afterEach(() => rm(folder, { recursive: true }));

const made = async (name: string): Promise<string> => {
  const result = await keygen({ path: at(name) });
  expect(result.exitCode).toBe(0);
  return result.json.key_id as string;
};
const rotate = (role: "rules" | "tokens" = "rules", out: string | null = null) =>
  handover(here, {
    from: at("old"),
    to: at("new.pub"),
    role,
    now_ms,
    not_before_ms: null,
    not_after_ms: null,
    passphrase: nobody,
    out,
  });
const revoking = (revoked: string, change: Partial<Parameters<typeof revoke>[1]> = {}) =>
  revoke(here, {
    revoked,
    reason: "lost",
    at_ms: now_ms,
    successors: null,
    key: null,
    passphrase: nobody,
    out: null,
    ...change,
  });
const standingIn = async (places: KeyringPlaces, key_id: string, at_ms = now_ms + day_ms) =>
  (await readTrust(places)).standingOf("rules", key_id, at_ms);
const refused = (result: CommandResult): unknown => [result.exitCode, result.json.ok, result.lines.length];

describe("interlock keys", () => {
  it.each<[string, Partial<ListingTerms>]>([
    ["no role", { roles: [] }],
    ["a comment of two lines", { comment: "a\nb" }],
    ["no day on which it would hold", { not_before_ms: now_ms, not_after_ms: now_ms }],
  ])("makes no key for %s", async (_what, change) => {
    await expect(newKey(here, { path: at("new") }, terms(change))).rejects.toMatchObject({ exitCode: 2 });
    expect(await readdir(folder)).toEqual([]);
  });

  it("trust makes the keyring where there is none, readable by all and writable by its owner", async () => {
    const key_id = await made("k");
    const result = await trust(here, at("k.pub"), terms({ not_after_ms: now_ms + day_ms, comment: "team a" }));
    expect(result.lines[0]).toBe(`key ${key_id} is trusted with rules until 2027-01-02T12:00:00Z`);
    expect((await stat(here.keyring.path)).mode & 0o777).toBe(0o644);
    expect(await standingIn(here, key_id, now_ms)).toBe("believed");
  });

  it("trust adds a role to a key that is there, and keeps its days", async () => {
    const key_id = await made("k");
    await trust(here, at("k.pub"), terms({ not_after_ms: now_ms + day_ms }));
    await trust(here, at("k.pub"), terms({ roles: ["tokens"] }));
    const { keys } = (await list(here, now_ms)).json as { keys: readonly { role: string; not_after: string }[] };
    expect(keys.map(({ role, not_after }) => [role, not_after])).toEqual([
      ["rules", "2027-01-02T12:00:00Z"],
      ["tokens", "2027-01-02T12:00:00Z"],
    ]);
    expect(await standingIn(here, key_id)).toBe("expired");
  });

  it("new makes a key pair and trusts it; neither where the name is taken", async () => {
    expect((await newKey(here, { path: at("k") }, terms({ roles: ["receipts"] }))).exitCode).toBe(0);
    expect((await stat(at("k"))).mode & 0o777).toBe(0o600);
    const before = await readFile(here.keyring.path, "utf8");
    expect((await newKey(here, { path: at("k") }, terms())).json).toMatchObject({ ok: false, code: "key_exists" });
    expect(await readFile(here.keyring.path, "utf8")).toBe(before);
  });

  it("handover, then revoke: the successor stays, here and where its documents are accepted", async () => {
    const [old, successor] = [await made("old"), await made("new")];
    for (const places of [here, there]) await trust(places, at("old.pub"), terms());
    expect((await rotate("rules", at("h.json"))).exitCode).toBe(0);
    const signed = await revoking(old, { key: at("new"), out: at("r.json") });
    expect(signed.lines).toContain(`its successor ${successor} stays trusted`);
    expect((await accept(there, at("h.json"))).lines[0]).toBe(`key ${old} hands rules over to key ${successor}`);
    expect((await accept(there, at("r.json"))).lines[0]).toBe(`key ${old} is revoked`);
    expect((await accept(there, at("r.json"))).exitCode).toBe(0);
    for (const places of [here, there]) {
      expect(await standingIn(places, old)).toBe("revoked");
      expect(await standingIn(places, successor)).toBe("believed");
    }
  });

  it("list says how each key stands, and what was revoked and why", async () => {
    const [old, successor] = [await made("old"), await made("new")];
    await trust(here, at("old.pub"), terms());
    await rotate();
    await revoking(old);
    expect((await list(here, now_ms + 1)).lines).toEqual([
      `rules    ${old} revoked`,
      `rules    ${successor} believed (handed over by ${old})`,
      `revoked  ${old} from 2027-01-01T12:00:00Z: lost`,
    ]);
  });

  it("threshold asks for no more signers than there are", async () => {
    await made("old");
    await made("new");
    await trust(here, at("old.pub"), terms());
    await rotate();
    // A key and its successor are one signer.
    await expect(threshold(here, "rules", 2)).rejects.toThrow(/1 of 2 signers/);
    await made("other");
    await trust(here, at("other.pub"), terms());
    expect((await threshold(here, "rules", 2)).exitCode).toBe(0);
    expect((await readTrust(here)).thresholdOf("rules")).toBe(2);
  });

  it("changes nothing where the keyring would not be believed after", async () => {
    await made("old");
    await made("new");
    await trust(here, at("old.pub"), terms());
    const before = await readFile(here.keyring.path, "utf8");
    expect((await rotate("tokens")).json).toMatchObject({ code: "handover_refused" });
    await writeFile(at("junk.json"), "{}");
    expect(refused(await accept(here, at("junk.json")))).toEqual([2, false, 1]);
    expect(refused(await accept(here, at("missing.json")))).toEqual([2, false, 1]);
    await writeFile(at("huge.json"), " ".repeat(1024 * 1024 + 1));
    expect((await accept(here, at("huge.json"))).lines[0]).toContain("is larger than");
    await expect(revoking("0123456789abcdef")).rejects.toThrow(/not trusted here/);
    expect((await revoking(at("none.pub"))).json).toMatchObject({ code: "key_missing" });
    expect(await readFile(here.keyring.path, "utf8")).toBe(before);
  });

  it("does not touch a keyring that is damaged, or that others can write", async () => {
    await made("k");
    await trust(here, at("k.pub"), terms());
    await chmod(here.keyring.path, 0o666);
    expect((await trust(here, at("k.pub"), terms())).json).toMatchObject({ code: "key_open_to_others" });
    await chmod(here.keyring.path, 0o644);
    await writeFile(here.keyring.path, '{"v":1,"keys":[');
    expect((await trust(here, at("k.pub"), terms())).json).toMatchObject({ code: "keyring_malformed" });
    expect(await readFile(here.keyring.path, "utf8")).toBe('{"v":1,"keys":[');
  });
});

describe("a key file", () => {
  const passphrase = async (): Promise<string> => "correct horse battery";

  it("is sealed in its place, opens with its passphrase, and is unsealed again", async () => {
    const key_id = await made("k");
    expect((await seal({ path: at("k"), passphrase })).exitCode).toBe(0);
    expect(isSealedText(await readFile(at("k"), "utf8"))).toBe(true);
    expect((await stat(at("k"))).mode & 0o777).toBe(0o600);
    expect((await readPrivateKey(at("k"), passphrase)).keyId).toBe(key_id);
    expect((await seal({ path: at("k"), passphrase })).json).toMatchObject({ ok: false, code: "key_exists" });
    expect((await unseal({ path: at("k"), passphrase: async () => "something else" })).json).toMatchObject({
      ok: false,
      code: "passphrase_wrong",
    });
    expect((await unseal({ path: at("k"), passphrase })).exitCode).toBe(0);
    expect((await readPrivateKey(at("k"))).keyId).toBe(key_id);
  });

  it("is made sealed, by a passphrase file, and not by a passphrase that is too short", async () => {
    await writeFile(at("p"), "correct horse battery\n", { mode: 0o600 });
    expect((await keygen({ path: at("k"), seal: passphraseFromFile(at("p")) })).exitCode).toBe(0);
    expect(isSealedText(await readFile(at("k"), "utf8"))).toBe(true);
    const short = await keygen({ path: at("s"), seal: async () => "too short" });
    expect(short.json).toMatchObject({ ok: false, code: "passphrase_refused" });
    await expect(stat(at("s"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
