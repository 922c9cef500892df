import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { hasExactly } from "./manifest.ts";
import { RuleSetRefused } from "./refusal.ts";

/** A signed rule set is one file: manifest, signature and bundle together, so that no two of them can be of two versions. */
export interface SignedFile {
  /** Not yet trusted: nothing in it means anything before the signature holds. */
  readonly manifest: unknown;
  readonly signature: Uint8Array;
  readonly key_id: string;
  readonly bundle: string;
}

/** The bytes of one file, read once: what is verified is what runs. */
export interface RuleSetFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A bundle with all its packages is a few megabytes. */
export const maxSignedFileBytes = 64 * 1024 * 1024;

/** Reads each file once. Throws `RuleSetRefused` (`unreadable`, `too_large`). */
export const readRuleSetFiles = (paths: readonly string[]): Promise<readonly RuleSetFile[]> =>
  Promise.all(paths.map(readRuleSetFile));

const readRuleSetFile = async (path: string): Promise<RuleSetFile> => {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    const todo = error.code === "ENOENT" ? "; make it with `interlock init` or `interlock rules sign`" : "";
    throw new RuleSetRefused("unreadable", `rule set ${path} cannot be read (${error.code ?? "unknown error"})${todo}`);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new RuleSetRefused("unreadable", `rule set ${path} is not a regular file`);
    if (stat.size > maxSignedFileBytes)
      throw new RuleSetRefused("too_large", `rule set ${path} is larger than ${maxSignedFileBytes} bytes`);
    return Object.freeze({ path, bytes: await handle.readFile() });
  } finally {
    await handle.close();
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
  if (!Object.hasOwn(value, "signature") || !Object.hasOwn(value, "key_id"))
    throw new RuleSetRefused("unsigned", `rule set ${path} has no signature; sign it with \`interlock rules sign\``);
  if (!hasExactly(value, ["bundle", "key_id", "manifest", "signature"]))
    throw new RuleSetRefused(
      "malformed",
      `rule set ${path} has other keys than manifest, signature, key_id and bundle`,
    );
  const { manifest, signature, key_id, bundle } = value;
  if (typeof bundle !== "string" || typeof key_id !== "string" || !/^[0-9a-f]{16}$/.test(key_id))
    throw new RuleSetRefused("malformed", `rule set ${path} has a bundle or key_id that is not one`);
  // 64 bytes are 88 characters of base64; the text must be the one that they encode to.
  const raw = typeof signature === "string" && signature.length === 88 ? Buffer.from(signature, "base64") : null;
  if (raw === null || raw.toString("base64") !== signature)
    throw new RuleSetRefused("malformed", `rule set ${path} has a signature that is not 64 bytes of base64`);
  return Object.freeze({ manifest, signature: new Uint8Array(raw), key_id, bundle });
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
};
