import type { TrustFiles } from "../keys/trust-files.ts";
import type { RuleSetRefusal } from "./refusal.ts";
import type { ServedVersion } from "./rollback.ts";
import type { RuleSetFile } from "./signed-file.ts";

/** What the loading worker is started with: bytes that were read once, rule sets and whom to believe. */
export interface WorkerRequest {
  readonly files: readonly RuleSetFile[];
  readonly trust: TrustFiles;
  readonly served: ReadonlyMap<string, ServedVersion>;
  readonly now_ms: number;
}

export interface CheckedSet {
  readonly id: string;
  readonly version: number;
  readonly digest: string;
  readonly keyIds: readonly string[];
  readonly rules: number;
  readonly examples: number;
}

/** What was found good: not the rules themselves, which cannot leave a thread, but what they must be once loaded. */
export interface CheckedRules {
  readonly digest: string;
  readonly version: number;
  readonly sets: readonly CheckedSet[];
}

/** What the loading worker posts, once. */
export type WorkerAnswer =
  | { readonly ok: true; readonly checked: CheckedRules }
  | {
      readonly ok: false;
      readonly code: RuleSetRefusal;
      readonly message: string;
      readonly details: readonly string[];
    };
