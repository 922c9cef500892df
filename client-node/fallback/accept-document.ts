import { createHash } from "node:crypto";
import { WireError } from "../../wire/errors.ts";
import { parseFallbackPolicy } from "../../wire/fallback/parse-policy.ts";
import type { FallbackPolicy } from "../../wire/fallback/policy.ts";
import { validityOf } from "../../wire/fallback/validity.ts";
import { type PublicKeys, payloadSignedBy, type SignedFileRefusal, SignedFileRefused } from "../signed-file.ts";
import { type FallbackRefusal, FallbackRefused } from "./refusal.ts";

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

/** A file's bytes as a policy: its form, its signatures, its payload. Whether it may decide is asked each time (`checkMayDecide`). @throws FallbackRefused */
export const acceptDocument = (bytes: Uint8Array, keys: PublicKeys, file: string): AcceptedPolicy => {
  const payload = signed(() => payloadSignedBy(keys, bytes, "fallback", file));
  const policy = parsed(payload, file);
  const digest = `sha256:${createHash("sha256").update(payload, "utf8").digest("hex")}`;
  return Object.freeze({ policy, seen: Object.freeze({ id: policy.id, version: policy.version, digest }) });
};

/** What was seen before comes before the time: an old policy is told as one. @throws FallbackRefused */
export const checkMayDecide = (
  { policy, seen: now }: AcceptedPolicy,
  seen: SeenPolicy | null,
  now_ms: number,
): void => {
  if (seen !== null) checkSeen(now, seen);
  switch (validityOf(policy, now_ms)) {
    case "valid":
      return;
    case "expired":
      throw new FallbackRefused(
        "fallback_expired",
        `the fallback policy ended at ${new Date(policy.not_after_ms).toISOString()}; have a newer one signed`,
      );
    case "not_yet_valid":
      throw new FallbackRefused(
        "fallback_not_yet_valid",
        `the fallback policy begins at ${new Date(policy.not_before_ms ?? 0).toISOString()}`,
      );
  }
};

const checkSeen = (now: SeenPolicy, seen: SeenPolicy): void => {
  if (now.id !== seen.id) {
    throw new FallbackRefused(
      "fallback_other_policy",
      `the fallback policy is ${now.id}, and ${seen.id} was used here; to change to it, remove the seen-*.json of its spool`,
    );
  }
  if (now.version < seen.version) {
    throw new FallbackRefused(
      "fallback_rolled_back",
      `the fallback policy is version ${now.version}, and version ${seen.version} was used here`,
    );
  }
  if (now.version === seen.version && now.digest !== seen.digest) {
    throw new FallbackRefused(
      "fallback_rolled_back",
      `the fallback policy is another than version ${now.version} that was used here; a change raises the version`,
    );
  }
};

const codes: Readonly<Record<SignedFileRefusal, FallbackRefusal>> = Object.freeze({
  unreadable: "fallback_unreadable",
  malformed: "fallback_malformed",
  key_malformed: "fallback_key_unusable",
  unknown_key: "fallback_wrong_key",
  bad_signature: "fallback_bad_signature",
  expired: "fallback_expired",
});

const signed = (read: () => string): string => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SignedFileRefused)) throw error;
    throw new FallbackRefused(codes[error.code], error.message);
  }
};

const parsed = (payload: string, file: string): FallbackPolicy => {
  try {
    return parseFallbackPolicy(payload);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new FallbackRefused("fallback_malformed", `${file}: ${error.message}`);
  }
};
