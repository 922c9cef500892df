import { decodeBase64 } from "../../wire/base64.ts";
import type { KeySignature } from "../keys/judge-signatures.ts";
import { FileUnread, readRegularFile } from "../store/regular-file.ts";
import { hasExactly } from "./manifest.ts";
import { RuleSetRefused } from "./refusal.ts";

/** A signed rule set is one file: manifest, signature and bundle together, so that no two of them can be of two versions. */
export interface SignedFile {
  /** Not yet trusted: nothing in it means anything before the signature holds. */
  readonly manifest: unknown;
  /** At least one, of different keys. */
  readonly signatures: readonly KeySignature[];
  readonly bundle: string;
}

/** The bytes of one file, read once: what is verified is what runs. */
export interface RuleSetFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Far above what a threshold asks for. */
const maxRuleSetSignatures = 16;

/** A bundle with all its packages is a few megabytes. */
const maxSignedFileBytes = 64 * 1024 * 1024;

/** Reads each file once. Throws `RuleSetRefused` (`unreadable`, `too_large`). */
export const readRuleSetFiles = (paths: readonly string[]): Promise<readonly RuleSetFile[]> =>
  Promise.all(paths.map(readRuleSetFile));

const readRuleSetFile = async (path: string): Promise<RuleSetFile> => {
  try {
    return Object.freeze({ path, bytes: await readRegularFile(path, maxSignedFileBytes) });
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    const todo = error.why === "missing" ? "; make it with `interlock init` or `interlock rules sign`" : "";
    throw new RuleSetRefused(
      error.why === "too_large" ? "too_large" : "unreadable",
      `rule set ${error.message}${todo}`,
    );
  }
};

/** Bytes become a file of the right form, or a refusal (`malformed`, `unsigned`). Nothing is verified here. */
export const parseSignedFile = ({ path, bytes }: RuleSetFile): SignedFile => {
  const value = parseJson(bytes);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "manifest"))
    throw new RuleSetRefused(
      "malformed",
      `rule set ${path} is not a signed rule set; make one with \`interlock rules sign\``,
    );
  const { manifest, bundle } = value as Record<string, unknown>;
  const signatures = signaturesIn(path, value);
  if (typeof bundle !== "string") throw new RuleSetRefused("malformed", `rule set ${path} has a bundle that is none`);
  return Object.freeze({ manifest, signatures, bundle });
};

/** One signature stands beside its key_id; several are a list of the same two. */
const signaturesIn = (path: string, value: object): readonly KeySignature[] => {
  const refuse = (what: string): never => {
    throw new RuleSetRefused("malformed", `rule set ${path} has ${what}`);
  };
  if (hasExactly(value, ["bundle", "key_id", "manifest", "signature"]))
    return Object.freeze([signatureOf(value, refuse)]);
  const hasOne = Object.hasOwn(value, "signature") && Object.hasOwn(value, "key_id");
  if (!hasOne && !Object.hasOwn(value, "signatures"))
    throw new RuleSetRefused("unsigned", `rule set ${path} has no signature; sign it with \`interlock rules sign\``);
  if (!hasExactly(value, ["bundle", "manifest", "signatures"]))
    return refuse("other keys than manifest, bundle, and signature and key_id or a list of signatures");
  const list = value.signatures;
  if (!Array.isArray(list) || list.length === 0 || list.length > maxRuleSetSignatures)
    return refuse(`signatures that are no list of 1 to ${maxRuleSetSignatures}`);
  const signatures = list.map((item: unknown) =>
    hasExactly(item, ["key_id", "signature"]) ? signatureOf(item, refuse) : refuse("a signature without its key_id"),
  );
  if (new Set(signatures.map(({ key_id }) => key_id)).size !== signatures.length)
    return refuse("two signatures of one key");
  return Object.freeze(signatures);
};

const signatureOf = (
  { key_id, signature }: Readonly<Record<string, unknown>>,
  refuse: (what: string) => never,
): KeySignature => {
  if (typeof key_id !== "string" || !/^[0-9a-f]{16}$/.test(key_id)) return refuse("a key_id that is not 16 hex digits");
  // 64 bytes are 88 characters of base64.
  const raw = typeof signature === "string" && signature.length === 88 ? decodeBase64(signature) : null;
  if (raw?.length !== 64) return refuse("a signature that is not 64 bytes of base64");
  return Object.freeze({ key_id, signature: raw });
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
};
