import type { PolicyCall, PolicyFinding } from "../contracts/policy.ts";

/** What the scope document says of a call. */
export type ScopeSaid =
  | { readonly kind: "expired"; readonly not_after_ms: number }
  /** No scope is on the principal's path, or nothing holds in the one that is. */
  | { readonly kind: "unknown"; readonly scope: string | null }
  | { readonly kind: "judged"; readonly finding: PolicyFinding };

/** The scope document in force, ready to judge. */
export interface Scopes {
  /** `<id>@<version>`, for receipts. */
  readonly name: string;
  /** `sha256:<hex>`: what clients pin. */
  readonly pin: string;
  /** May throw: the engine makes a block of it. */
  judge(call: PolicyCall): ScopeSaid;
}
