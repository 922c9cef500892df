import { timeText } from "../../wire/utc-time.ts";
import type { PrivateKey } from "../keys/private-key.ts";
import { signBytes } from "../keys/sign-bytes.ts";
import { trustIn } from "../keys/trust.ts";
import { writeFileAtomically } from "../store/write-atomically.ts";
import { type Bundle, bundleRuleSet } from "./bundle.ts";
import { packagesOf, sourcesOf } from "./bundled-packages.ts";
import { compileRuleSet } from "./compile.ts";
import { contentsOf } from "./contents.ts";
import { refuseFailed, runAllExamples } from "./examples.ts";
import { type Manifest, sha256Hex, signedBytes } from "./manifest.ts";
import { SigningRefused } from "./sign-refusal.ts";
import { verifyRuleSet } from "./verify.ts";

export interface SignRequest {
  /** The entry file, whose default export is what `defineRules` returned. */
  readonly entry: string;
  readonly key: PrivateKey;
  readonly out: string;
  readonly now_ms: number;
  /** After this moment the set is not served; null for no end. */
  readonly not_after_ms: number | null;
}

/**
 * Bundles, runs every example, signs, writes one file. Throws `SigningRefused` or `RuleSetRefused`, and then has
 * written nothing. Returns the manifest that was signed.
 */
export const signRuleSet = async (request: SignRequest): Promise<Manifest> => {
  const { entry, key, out, now_ms, not_after_ms } = request;
  if (not_after_ms !== null && not_after_ms <= now_ms)
    throw new SigningRefused("not_after_passed", "the time after which the rules expire has passed; name a later one");
  const bundle = await bundleRuleSet(entry);
  const manifest = await manifestOf(entry, bundle, now_ms, not_after_ms);
  const signature = Buffer.from(signBytes(signedBytes(manifest), key)).toString("base64");
  const text = `${JSON.stringify({ manifest, signature, key_id: key.keyId, bundle: bundle.code }, null, 1)}\n`;
  // What was made is judged by what will judge it, before it can replace a file that works.
  verifyRuleSet({ path: out, bytes: Buffer.from(text) }, trustIn("rules", [key.publicKey]), now_ms);
  await writeFileAtomically(out, text).catch((error: NodeJS.ErrnoException) => {
    throw new SigningRefused("not_written", `${out} cannot be written (${error.code ?? "unknown error"})`);
  });
  return manifest;
};

const manifestOf = async (
  entry: string,
  bundle: Bundle,
  now_ms: number,
  not_after_ms: number | null,
): Promise<Manifest> => {
  const set = compileRuleSet(entry, bundle.code, bundle.builtins);
  refuseFailed(await runAllExamples(set, await contentsOf(set), now_ms), `rules ${entry}`);
  return {
    id: set.id,
    version: set.version,
    created: timeText(now_ms),
    not_after: not_after_ms === null ? null : timeText(not_after_ms),
    entry: bundle.entry,
    sources: await sourcesOf(bundle),
    packages: await packagesOf(bundle),
    builtins: bundle.builtins,
    bundle_sha256: sha256Hex(bundle.code),
  };
};
