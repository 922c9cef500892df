import { canonical } from "../../wire/canonical.ts";
import { judgeSignatures } from "../keys/judge-signatures.ts";
import type { Trust } from "../keys/trust.ts";
import { type Manifest, parseManifest, sha256Hex, signedBytes } from "./manifest.ts";
import { RuleSetRefused } from "./refusal.ts";
import { parseSignedFile, type RuleSetFile, type SignedFile } from "./signed-file.ts";

/** A bundle whose every byte a trusted key vouches for. */
export interface VerifiedRuleSet {
  readonly path: string;
  readonly manifest: Manifest;
  /** `sha256:<hex>` of the signed bytes. */
  readonly digest: string;
  /** Believed keys whose signatures hold. */
  readonly keyIds: readonly string[];
  readonly bundle: string;
}

/** The security argument, in order: nothing is believed before the signature holds, nothing runs before the bundle's hash does. */
export const verifyRuleSet = (file: RuleSetFile, trust: Trust, now_ms: number): VerifiedRuleSet => {
  const signed = parseSignedFile(file);
  const bytes = bytesThatWereSigned(file.path, signed.manifest);
  const keyIds = verifySignatures(file.path, signed, bytes, trust, now_ms);
  const manifest = parse(file.path, signed.manifest);
  verifyBundle(file.path, manifest, signed.bundle);
  verifyTime(file.path, manifest, now_ms);
  const digest = `sha256:${sha256Hex(bytes)}`;
  return Object.freeze({ path: file.path, manifest, digest, keyIds, bundle: signed.bundle });
};

const bytesThatWereSigned = (path: string, manifest: unknown): Buffer => {
  try {
    return signedBytes(manifest);
  } catch {
    throw new RuleSetRefused("malformed", `rule set ${path} has a manifest without a canonical form`);
  }
};

const verifySignatures = (
  path: string,
  { signatures }: SignedFile,
  bytes: Buffer,
  trust: Trust,
  at_ms: number,
): readonly string[] => {
  const judged = judgeSignatures({ bytes, signatures, role: "rules", at_ms }, trust);
  if (!judged.held) throw new RuleSetRefused(judged.problem, `rule set ${path} ${judged.what}`);
  return judged.key_ids;
};

const parse = (path: string, value: unknown): Manifest => {
  const manifest = parseManifest(value);
  if (manifest === null) throw new RuleSetRefused("malformed", `rule set ${path} has a manifest of another format`);
  return manifest;
};

const verifyBundle = (path: string, manifest: Manifest, bundle: string): void => {
  if (sha256Hex(bundle) !== manifest.bundle_sha256)
    throw new RuleSetRefused("altered", `rule set ${path} was altered: its bundle is not the one that was signed`);
};

const verifyTime = (path: string, { not_after }: Manifest, now_ms: number): void => {
  if (not_after !== null && Date.parse(not_after) <= now_ms)
    throw new RuleSetRefused("expired", `rule set ${path} expired at ${not_after}; sign it again`);
};

/** Digest of all sets served together, in order: `sha256:<hex>`. */
export const digestOfSets = (sets: readonly { id: string; version: number; digest: string }[]): string =>
  `sha256:${sha256Hex(canonical(sets.map(({ id, version, digest }) => [id, version, digest])))}`;
