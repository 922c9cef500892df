import { createHash } from "node:crypto";
import { WireError } from "../../wire/errors.ts";
import { parseFallbackPolicy } from "../../wire/fallback/parse-policy.ts";
import { parseSignedDocument, signedDocumentText } from "../../wire/signed-document.ts";
import type { PrivateKey } from "../keys/private-key.ts";
import { signDocument } from "../keys/sign-document.ts";
import { needsVersion } from "./refusal.ts";
import type { ReadPolicy } from "./source.ts";

/** A policy that is ready to be put where clients read it. */
export interface SignedPolicy {
  readonly id: string;
  readonly version: number;
  /** `sha256:<hex>` of what it says, whenever it was signed. */
  readonly digest: string;
  readonly keyId: string;
  /** The file's text. */
  readonly text: string;
}

/**
 * Signs a policy. One that says what the file says that was published before keeps its time of creation, and so every byte:
 * clients take one text of a version. Other contents need a higher version. `published`: that file's bytes, or null.
 *
 * @throws PolicyRefused
 */
export const signPolicy = (
  read: ReadPolicy,
  key: PrivateKey,
  published: Uint8Array | null,
  shown: string,
  now_ms: number,
): SignedPolicy => {
  const before = published === null ? null : payloadIn(published);
  const { id, version } = read.policy;
  const isSame = before !== null && contentsOf(before.payload) === contentsOf(read.payload(now_ms));
  if (before !== null && !isSame && before.id === id && version <= before.version)
    throw needsVersion(shown, before.version);
  const payload = read.payload(isSame && before !== null ? before.created_ms : now_ms);
  const text = signedDocumentText(signDocument("fallback", payload, key));
  return Object.freeze({ id, version, digest: digestOf(payload), keyId: key.keyId, text });
};

/** Of what a payload says, the time of its creation aside. */
export const digestOf = (payload: string): string =>
  `sha256:${createHash("sha256").update(contentsOf(payload), "utf8").digest("hex")}`;

/** Our own canonical text: `created` stands in it once, in a form without quotes. */
const contentsOf = (payload: string): string => JSON.stringify({ ...JSON.parse(payload), created: null });

interface Published {
  readonly payload: string;
  readonly id: string;
  readonly version: number;
  readonly created_ms: number;
}

/** Null for a file that holds no policy, which is written over. Whose signature it has does not matter: it is only compared. */
const payloadIn = (bytes: Uint8Array): Published | null => {
  try {
    const { payload } = parseSignedDocument(bytes, "fallback");
    const { id, version, created_ms } = parseFallbackPolicy(payload);
    return { payload, id, version, created_ms };
  } catch (error) {
    if (error instanceof WireError) return null;
    throw error;
  }
};
