/**
 * Why nothing is decided by the fallback policy. The code stands first in the reason and in `details.code`; the call is blocked.
 * docs/errors.md lists them.
 */
export const fallbackRefusals = Object.freeze({
  fallback_missing: "the file does not exist",
  fallback_unreadable: "the file cannot be read, or is not a regular file",
  fallback_malformed: "it is not a signed document that holds a fallback policy",
  fallback_wrong_key: "it is signed by none of the keys that this client has",
  fallback_bad_signature: "its signature does not hold: it was altered",
  fallback_not_yet_valid: "its `not_before` has not come",
  fallback_expired: "its `not_after` has passed",
  fallback_rolled_back: "a newer version was seen here, or the same version with other contents",
  fallback_other_policy: "another policy was used here",
  fallback_key_unusable: "the file of public keys is missing, or does not hold Ed25519 public keys in PEM",
  fallback_failed: "the client failed while it decided, or `onFallback` threw",
  fallback_spool_full: "more calls were decided without the daemon than are kept for it",
  fallback_spool_unusable: "the spool is not a directory of ours alone, or cannot be written",
} satisfies Record<string, string>);

export type FallbackRefusal = keyof typeof fallbackRefusals;

/** The message is one line, and quotes nothing of a file or a call. */
export class FallbackRefused extends Error {
  override readonly name = "FallbackRefused";
  readonly code: FallbackRefusal;

  constructor(code: FallbackRefusal, what: string) {
    super(`${code}: ${what}`);
    this.code = code;
  }
}
