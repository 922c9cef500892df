import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CorpusKey, corpusKey, signed } from "../../conformance/fallback/signing.ts";
import type { RemoteEngineOptions } from "../engine-options.ts";

export const signer: CorpusKey = corpusKey("fallback");

/** The payload of a policy that holds for a day from now. */
export const policyOf = (rules: readonly object[], more: object = {}): string => {
  const now_ms = Date.now();
  const at = (ms: number): string => new Date(now_ms + ms).toISOString();
  return JSON.stringify({
    ...{ v: 1, id: "prod", version: 7, created: at(0), not_before: null, not_after: at(86_400_000), rules },
    ...more,
  });
};

export const reads = { id: "reads", effect: "allow", actions: ["read_file"], where: { path: { prefix: ["/srv/"] } } };

/** A signed policy, its key and a spool, in a directory of their own. */
export class FallbackFiles {
  readonly directory = mkdtempSync(join(tmpdir(), "il-fallback-"));
  readonly file = join(this.directory, "policy.signed");
  readonly keyFile = join(this.directory, "fallback.key.pub");
  readonly spool = join(this.directory, "spool");

  constructor(payload: string = policyOf([reads])) {
    writeFileSync(this.keyFile, signer.pem);
    this.publish(payload);
  }

  publish(payload: string, keys: readonly CorpusKey[] = [signer]): void {
    writeFileSync(this.file, signed(payload, keys));
  }

  options(more: RemoteEngineOptions = {}): RemoteEngineOptions {
    const { file: fallbackFile, keyFile: fallbackKeyFile, spool: fallbackSpool } = this;
    const quiet = { grace_ms: 0, onFallback: () => {} };
    return { unreachable: "degraded", fallbackFile, fallbackKeyFile, fallbackSpool, ...quiet, ...more };
  }
}
