import { Buffer } from "node:buffer";
import { admit } from "../../wire/admission.ts";
import { canonicalJson } from "../../wire/canonical.ts";
import { WireError } from "../../wire/errors.ts";
import { isObject, own } from "../../wire/fields.ts";
import { type DocumentKind, parseSignedDocument, type SignedDocument } from "../../wire/signed-document.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import { KeyRefused } from "./key-error.ts";
import { rawPublicKey, timeOrNull } from "./payload.ts";
import type { PublicKey } from "./public-key.ts";
import { isReason, type Revocation, revocationOf } from "./revocation.ts";
import { isKeyRole, type KeyRole } from "./roles.ts";

/** A key that its owner believes, in these roles and within these days. */
export interface KeyringEntry {
  readonly key: PublicKey;
  readonly roles: readonly KeyRole[];
  /** Null: from ever, without end. */
  readonly not_before_ms: number | null;
  readonly not_after_ms: number | null;
  readonly comment: string | null;
}

/** What one keyring.json says. Its documents have a form and were not verified. */
export interface Keyring {
  readonly keys: readonly KeyringEntry[];
  /** Roles that need more than one signer. */
  readonly thresholds: ReadonlyMap<KeyRole, number>;
  readonly handovers: readonly SignedDocument[];
  readonly revocations: readonly SignedDocument[];
  /** Revoked by the owner's word, which needs no signature: who can write the file can take the key out of it. */
  readonly revoked: readonly Revocation[];
}

/** Far above what a keyring holds; each list, and the file. */
export const maxKeyringItems = 256;
export const maxKeyringBytes = 1024 * 1024;
export const maxThreshold = 16;

export const emptyKeyring: Keyring = Object.freeze({
  keys: Object.freeze([]),
  thresholds: new Map(),
  handovers: Object.freeze([]),
  revocations: Object.freeze([]),
  revoked: Object.freeze([]),
});

/** Reads the file's bytes, strictly: no key twice, none that is not known. Throws `KeyRefused` (`keyring_malformed`), naming the place. */
export const parseKeyring = (path: string, bytes: Uint8Array): Keyring => {
  const refuse: Refuse = (what) => {
    throw new KeyRefused("keyring_malformed", `keyring ${path}: ${what}`);
  };
  if (bytes.length > maxKeyringBytes) refuse(`it is larger than ${maxKeyringBytes} bytes`);
  const json = admitted(bytes, refuse);
  const known = ["v", "keys", "thresholds", "handovers", "revocations", "revoked"];
  const object = objectOf(json, known, ["v", "keys"], "it", refuse);
  if (object.v !== 1) refuse("v must be 1; another release wrote it");
  const keys = listOf(object, "keys", refuse).map((item, index) => entryOf(item, `keys[${index}]`, refuse));
  if (new Set(keys.map(({ key }) => key.keyId)).size !== keys.length) refuse("a key stands in keys twice");
  return Object.freeze({
    keys: Object.freeze(keys),
    thresholds: thresholdsOf(own(object, "thresholds"), refuse),
    handovers: documentsOf(object, "handovers", "handover", refuse),
    revocations: documentsOf(object, "revocations", "revocation", refuse),
    revoked: Object.freeze(
      listOf(object, "revoked", refuse).map((item, index) => revokedOf(item, `revoked[${index}]`, refuse)),
    ),
  });
};

type Refuse = (what: string) => never;

const admitted = (bytes: Uint8Array, refuse: Refuse): JsonValue => {
  try {
    return admit(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return refuse("it is not strict JSON; restore it, or make it anew with `interlock keys trust`");
  }
};

const objectOf = (
  json: JsonValue,
  allowed: readonly string[],
  required: readonly string[],
  where: string,
  refuse: Refuse,
): JsonObject => {
  if (!isObject(json)) return refuse(`${where} must be an object`);
  const missing = required.find((key) => !Object.hasOwn(json, key));
  if (missing !== undefined) return refuse(`${where} has no ${missing}`);
  if (Object.keys(json).some((key) => !allowed.includes(key))) {
    return refuse(`${where} has a key that is none of ${allowed.join(", ")}`);
  }
  return json;
};

const listOf = (object: JsonObject, key: string, refuse: Refuse): readonly JsonValue[] => {
  const list = own(object, key) ?? [];
  if (!Array.isArray(list) || list.length > maxKeyringItems) {
    return refuse(`${key} must be a list of at most ${maxKeyringItems}`);
  }
  return list as readonly JsonValue[];
};

const entryOf = (json: JsonValue, where: string, refuse: Refuse): KeyringEntry => {
  const known = ["key_id", "public", "roles", "not_before", "not_after", "comment"];
  const object = objectOf(json, known, ["key_id", "public", "roles"], where, refuse);
  const key = rawPublicKey(object.public);
  if (key === null) return refuse(`${where}.public is not 32 bytes of base64`);
  if (object.key_id !== key.keyId) return refuse(`${where}.key_id is not the id of its public key`);
  const roles = object.roles as readonly JsonValue[];
  if (!Array.isArray(roles) || roles.length === 0 || !roles.every(isKeyRole)) {
    return refuse(`${where}.roles must name at least one of rules, receipts, tokens, scopes, fallback`);
  }
  const not_before_ms = timeOrNull(own(object, "not_before") ?? null);
  const not_after_ms = timeOrNull(own(object, "not_after") ?? null);
  if (not_before_ms === undefined || not_after_ms === undefined) {
    return refuse(`${where} has a not_before or not_after that is not a time such as 2027-01-31T00:00:00Z`);
  }
  if (not_before_ms !== null && not_after_ms !== null && not_after_ms <= not_before_ms) {
    return refuse(`${where}.not_after is not later than its not_before`);
  }
  const comment = own(object, "comment") ?? null;
  if (comment !== null && !isReason(comment)) return refuse(`${where}.comment is not one short line of ASCII`);
  return Object.freeze({
    key,
    roles: Object.freeze([...new Set(roles as readonly KeyRole[])]),
    not_before_ms,
    not_after_ms,
    comment,
  });
};

const thresholdsOf = (json: JsonValue | undefined, refuse: Refuse): ReadonlyMap<KeyRole, number> => {
  if (json === undefined) return new Map();
  if (!isObject(json)) return refuse("thresholds must be an object of roles and numbers");
  return new Map(
    Object.entries(json).map(([role, count]) => {
      if (!isKeyRole(role)) return refuse("thresholds names a role that there is not");
      if (!Number.isSafeInteger(count) || (count as number) < 1 || (count as number) > maxThreshold) {
        return refuse(`thresholds.${role} must be a whole number, 1 to ${maxThreshold}`);
      }
      return [role, count as number] as const;
    }),
  );
};

const documentsOf = (object: JsonObject, list: string, kind: DocumentKind, refuse: Refuse): readonly SignedDocument[] =>
  Object.freeze(
    listOf(object, list, refuse).map((json, index) => {
      try {
        return parseSignedDocument(Buffer.from(canonicalJson(json), "utf8"), kind);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        return refuse(`${list}[${index}]: ${error.message}`);
      }
    }),
  );

const revokedOf = (json: JsonValue, where: string, refuse: Refuse): Revocation => {
  const known = ["key_id", "at", "reason", "successors"];
  const object = objectOf(json, known, ["key_id", "at", "reason"], where, refuse);
  return (
    revocationOf({ successors: [], ...object }) ??
    refuse(
      `${where} must have key_id, at (a time such as 2027-01-31T00:00:00Z), reason (one line), and successors if any`,
    )
  );
};
