import { createHash } from "node:crypto";
import { WireError } from "../../wire/errors.ts";
import { parseFallbackPolicy } from "../../wire/fallback/parse-policy.ts";
import type { FallbackPolicy } from "../../wire/fallback/policy.ts";
import { validityOf } from "../../wire/fallback/validity.ts";
import { documentBytes, parseSignedDocument, type SignedDocument } from "../../wire/signed-document.ts";
import { FallbackRefused } from "./refusal.ts";
import { holds, type TrustedKeys } from "./trusted-keys.ts";

/** The newest policy that something was decided by here: an older one is refused from then on. */
export interface SeenPolicy {
  readonly id: string;
  readonly version: number;
  /** `sha256:<hex>` over the payload. */
  readonly digest: string;
}

/** A policy whose signature holds, and what is to be remembered of it. */
export interface AcceptedPolicy {
  readonly policy: FallbackPolicy;
  readonly seen: SeenPolicy;
}

/**
 * A file's bytes as a policy that may decide now. In order: the document's form, a signature, the payload, what was seen
 * before, the time. @throws FallbackRefused
 */
export const acceptDocument = (
  bytes: Uint8Array,
  keys: TrustedKeys,
  seen: SeenPolicy | null,
  now_ms: number,
): AcceptedPolicy => {
  const document = parsed(() => parseSignedDocument(bytes, "fallback"));
  checkSignature(document, keys);
  const policy = parsed(() => parseFallbackPolicy(document.payload));
  const now: SeenPolicy = Object.freeze({
    id: policy.id,
    version: policy.version,
    digest: `sha256:${createHash("sha256").update(document.payload, "utf8").digest("hex")}`,
  });
  if (seen !== null) checkSeen(now, seen);
  checkTime(policy, now_ms);
  return Object.freeze({ policy, seen: now });
};

/** Nothing of the payload means anything before one holds. One of ours is enough. */
const checkSignature = (document: SignedDocument, keys: TrustedKeys): void => {
  const ours = document.signatures.filter(({ key_id }) => keys.has(key_id));
  if (ours.length === 0) {
    throw new FallbackRefused("fallback_wrong_key", "the fallback policy is signed by no key that is trusted here");
  }
  const signed = documentBytes(document.document, document.payload);
  if (ours.some(({ key_id, signature }) => holds(signed, signature, keys.get(key_id)!))) return;
  throw new FallbackRefused("fallback_bad_signature", "the fallback policy was altered after it was signed");
};

const checkSeen = (now: SeenPolicy, seen: SeenPolicy): void => {
  if (now.id !== seen.id) {
    throw new FallbackRefused(
      "fallback_other_policy",
      `the fallback policy is ${now.id}, and ${seen.id} was used here; remove seen.json from the spool to change to it`,
    );
  }
  if (now.version < seen.version) {
    throw new FallbackRefused(
      "fallback_rolled_back",
      `the fallback policy is version ${now.version}, and version ${seen.version} was seen here`,
    );
  }
  if (now.version === seen.version && now.digest !== seen.digest) {
    throw new FallbackRefused(
      "fallback_rolled_back",
      `the fallback policy is another than was seen here of version ${now.version}; a change raises the version`,
    );
  }
};

export const checkTime = (policy: FallbackPolicy, now_ms: number): void => {
  switch (validityOf(policy, now_ms)) {
    case "valid":
      return;
    case "expired":
      throw new FallbackRefused(
        "fallback_expired",
        `the fallback policy ended at ${new Date(policy.not_after_ms).toISOString()}; sign a new one`,
      );
    case "not_yet_valid":
      throw new FallbackRefused(
        "fallback_not_yet_valid",
        `the fallback policy begins at ${new Date(policy.not_before_ms ?? 0).toISOString()}`,
      );
  }
};

const parsed = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new FallbackRefused("fallback_malformed", error.message);
  }
};
