import { type DocumentKind, signedDocumentText } from "../../wire/signed-document.ts";
import { timeText } from "../../wire/utc-time.ts";
import type { JsonValue } from "../../wire/value.ts";
import { type Handover, handoverText } from "./handover.ts";
import type { KeyringTrust } from "./keyring-trust.ts";
import { publicKeyText } from "./payload.ts";
import type { PrivateKey } from "./private-key.ts";
import { type Revocation, revocationText } from "./revocation.ts";
import type { KeyRole } from "./roles.ts";
import { cosignDocument, signDocument } from "./sign-document.ts";
import { trustFrom } from "./trust-files.ts";

export const start_ms = Date.UTC(2027, 0, 1);
export const day_ms = 86_400_000;

export interface KeyringText {
  readonly keys?: readonly JsonValue[];
  readonly [key: string]: unknown;
}

/** A keyring's text; keys that are not given are none. */
export const ringText = (ring: KeyringText): string => JSON.stringify({ v: 1, keys: [], ...ring });

/** What it says is believed; files of public keys beside it are none. */
export const trustOf = (ring: KeyringText): KeyringTrust =>
  trustFrom({ trust: [], keyring: { path: "keyring.json", text: ringText(ring) } });

/** A key as a keyring lists it. */
export const listed = (
  { publicKey }: PrivateKey,
  roles: readonly KeyRole[],
  days: { readonly not_before_ms?: number; readonly not_after_ms?: number } = {},
): { readonly [key: string]: JsonValue } => ({
  key_id: publicKey.keyId,
  public: publicKeyText(publicKey),
  roles: [...roles],
  not_before: days.not_before_ms === undefined ? null : timeText(days.not_before_ms),
  not_after: days.not_after_ms === undefined ? null : timeText(days.not_after_ms),
});

const documentJson = (kind: DocumentKind, payload: string, keys: readonly PrivateKey[]): JsonValue => {
  const [by, ...others] = keys;
  return JSON.parse(signedDocumentText(others.reduce(cosignDocument, signDocument(kind, payload, by!)))) as JsonValue;
};

/** A hand-over's document, of `by` where somebody else than the old key signed it. */
export const handedOver = (
  from: PrivateKey,
  to: PrivateKey,
  { by = from, ...rest }: Partial<Omit<Handover, "from" | "to">> & { readonly by?: PrivateKey } = {},
): JsonValue => {
  const at_ms = rest.at_ms ?? start_ms;
  const payload = handoverText({
    role: "rules",
    from: from.keyId,
    to: to.publicKey,
    at_ms,
    not_before_ms: at_ms,
    not_after_ms: null,
    ...rest,
  });
  return documentJson("handover", payload, [by]);
};

/** A revocation's document. */
export const revokedBy = (
  by: PrivateKey,
  key: PrivateKey,
  rest: Partial<Omit<Revocation, "key_id">> = {},
): JsonValue => {
  const whole = { key_id: key.keyId, at_ms: start_ms + day_ms, reason: "lost", successors: [], ...rest };
  return documentJson("revocation", revocationText(whole), [by]);
};

/** Ids of the keys that are believed. */
export const believedIds = (trust: KeyringTrust, role: KeyRole, at_ms: number): readonly string[] =>
  trust.keysOf(role, at_ms).map(({ keyId }) => keyId);
