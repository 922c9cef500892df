import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PrivateKey } from "../keys/private-key.ts";
import { signBytes } from "../keys/sign-bytes.ts";
import type { TrustFiles } from "../keys/trust-files.ts";
import { type Manifest, sha256Hex, signedBytes } from "./manifest.ts";
import { signRuleSet } from "./sign.ts";
import type { RuleSetFile } from "./signed-file.ts";

/** For tests: a folder of its own, with the packages of this project beside it, as an author's project would have. */
export interface Workshop {
  readonly folder: string;
  write(name: string, text: string): Promise<string>;
  /** Signs rules of this source and reads the file back. */
  sign(source: string, key: PrivateKey, options?: { readonly not_after_ms?: number }): Promise<RuleSetFile>;
  close(): Promise<void>;
}

export const now_ms = Date.UTC(2026, 0, 2, 3, 4, 5);

export const openWorkshop = async (): Promise<Workshop> => {
  const folder = await mkdtemp(join(tmpdir(), "interlock-rulesets-"));
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(folder, "node_modules"));
  let signed = 0;
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  return {
    folder,
    write,
    async sign(source, key, options = {}) {
      signed += 1;
      const entry = await write(`entry-${signed}.ts`, source);
      const out = join(folder, `entry-${signed}.ruleset.json`);
      await signRuleSet({ entry, key, out, now_ms, not_after_ms: options.not_after_ms ?? null });
      return { path: out, bytes: await readFile(out) };
    },
    close: () => rm(folder, { recursive: true }),
  };
};

export interface SourceOptions {
  readonly id?: string;
  readonly version?: number;
  readonly rule?: string;
  /** Statements before the set. */
  readonly before?: string;
}

/** A rule set that blocks the action `pay`, as source. */
export const sourceOf = ({ id = "pay", version = 1, rule, before = "" }: SourceOptions = {}): string => `
import { block, defineRules } from "interlock/rules";
${before}
export default defineRules({
  id: ${JSON.stringify(id)},
  version: ${version},
  rules: [{
    id: ${JSON.stringify(rule ?? `${id}.block`)},
    actions: ["pay"],
    phase: "call",
    evaluate: (event) => (event.args.amount === 1 ? undefined : block("no", { attributedTo: "amount" })),
    examples: [
      { event: { action: "pay", args: { amount: 2 } }, expect: "block" },
      { event: { action: "pay", args: { amount: 1 } }, expect: "silent" },
    ],
  }],
});
`;

/** A signed file whose bundle was never judged: what someone who holds the key could make. */
export const signAnything = (bundle: string, key: PrivateKey, change: Partial<Manifest> = {}): RuleSetFile => {
  const manifest: Manifest = {
    id: "pay",
    version: 1,
    created: "2026-01-02T03:04:05Z",
    not_after: null,
    entry: "entry.ts",
    sources: [{ path: "entry.ts", sha256: sha256Hex("") }],
    packages: [],
    builtins: [],
    bundle_sha256: sha256Hex(bundle),
    ...change,
  };
  const signature = Buffer.from(signBytes(signedBytes(manifest), key)).toString("base64");
  return {
    path: "made.ruleset.json",
    bytes: Buffer.from(JSON.stringify({ manifest, signature, key_id: key.keyId, bundle })),
  };
};

/** What a file of this key alone says: whom to believe, as it crosses to another thread. */
export const believing = ({ publicKey }: PrivateKey): TrustFiles => ({
  trust: [{ path: "key.pub", text: publicKey.object.export({ format: "pem", type: "spki" }).toString() }],
  keyring: null,
});

/** The same file with its JSON changed. */
export const changed = (file: RuleSetFile, change: (value: Record<string, unknown>) => void): RuleSetFile => {
  const value = JSON.parse(Buffer.from(file.bytes).toString("utf8")) as Record<string, unknown>;
  change(value);
  return { path: file.path, bytes: Buffer.from(JSON.stringify(value)) };
};
