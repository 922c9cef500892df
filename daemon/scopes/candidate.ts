import { admit } from "../../wire/admission.ts";
import { isObject, own } from "../../wire/fields.ts";
import { scopePin } from "../../wire/scope-pin.ts";
import type { KeyringTrust } from "../keys/keyring-trust.ts";
import { readTrust, type TrustPlaces } from "../keys/trust-files.ts";
import { verifyDocument } from "../keys/verify-document.ts";
import type { CheckedScopes } from "./check.ts";
import { readPayload } from "./payload.ts";
import { readScopeFile } from "./read-file.ts";
import { readSource } from "./read-source.ts";
import { ScopesRefused } from "./refusal.ts";

/** A document that a command is given: as somebody wrote it, or signed. */
export interface Candidate {
  readonly checked: CheckedScopes;
  /** Null where it is not signed. */
  readonly signed: { readonly pin: string; readonly key_ids: readonly string[] } | null;
}

export interface CandidateRequest {
  readonly path: string;
  /** Whose signatures are believed; asked only where the document is signed. */
  readonly trust: () => Promise<TrustPlaces>;
  readonly now_ms: number;
}

/** Throws `ScopesRefused`, and for a signed document `DocumentRefused` and `KeyRefused`. */
export const readCandidate = async ({ path, trust, now_ms }: CandidateRequest): Promise<Candidate> => {
  const file = await readScopeFile(path);
  if (!isSigned(file.bytes)) {
    const { checked } = readSource(textOf(file.bytes, path), path);
    return { checked, signed: null };
  }
  const believed: KeyringTrust = await readTrust(await trust());
  const { payload, key_ids } = verifyDocument(file, "scopes", believed, now_ms);
  return { checked: readPayload(payload, path), signed: { pin: scopePin(payload), key_ids } };
};

/** What it claims to be decides how it is read, and no more. */
const isSigned = (bytes: Uint8Array): boolean => {
  try {
    const json = admit(bytes);
    return isObject(json) && own(json, "document") !== undefined;
  } catch {
    return false;
  }
};

export const textOf = (bytes: Uint8Array, path: string): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ScopesRefused("malformed", `${path}: is not UTF-8`);
  }
};
