import type { KeyRole } from "./roles.ts";
import type { Trust } from "./trust.ts";
import { verifyBytes } from "./verify-bytes.ts";

/** One signature of a file that may have several. The id picks the key and proves nothing. */
export interface KeySignature {
  readonly key_id: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Why signatures do not suffice. */
export type SignatureProblem = "wrong_key" | "bad_signature" | "key_revoked" | "key_out_of_days" | "too_few_signatures";

export type SignaturesJudged =
  /** `key_ids`: the believed keys whose signatures hold, in the file's order. */
  | { readonly held: true; readonly key_ids: readonly string[] }
  /** `what` goes on after the name of what was signed: `rule set r.json` + ` ` + what. */
  | { readonly held: false; readonly problem: SignatureProblem; readonly what: string };

export interface SignaturesToJudge {
  readonly bytes: Uint8Array;
  readonly signatures: readonly KeySignature[];
  readonly role: KeyRole;
  readonly at_ms: number;
}

/**
 * Did enough believed signers sign these bytes? A signature of a believed key that does not hold refuses all of it: what was signed was
 * altered since. One of a key that is not believed counts for nothing, and refuses nothing that others suffice for: an
 * old key may sign beside its successor.
 */
export const judgeSignatures = (
  { bytes, signatures, role, at_ms }: SignaturesToJudge,
  trust: Trust,
): SignaturesJudged => {
  const keys = trust.keysOf(role, at_ms);
  const held: string[] = [];
  for (const { key_id, signature } of signatures) {
    const key = keys.find(({ keyId }) => keyId === key_id);
    if (key === undefined) continue;
    if (!verifyBytes(bytes, signature, key)) {
      return { held: false, problem: "bad_signature", what: "was altered: its signature does not hold; sign it again" };
    }
    held.push(key_id);
  }
  const signers = new Set(held.map((key_id) => trust.signerOf(role, key_id))).size;
  const needed = trust.thresholdOf(role);
  if (signers >= needed) return { held: true, key_ids: Object.freeze(held) };
  const refused = signatures.flatMap(({ key_id }) => whyNot(role, key_id, trust, at_ms) ?? []);
  // Somebody believed has signed it: what it lacks is another signer, and not another signature in place of a refused one.
  if (held.length > 0) {
    const uncounted = refused.map(({ key_id, why }) => `; that of key ${key_id}, ${why}, does not count`).join("");
    const what = `has ${signers} of the ${needed} signatures of different signers that it needs; have it cosigned${uncounted}`;
    return { held: false, problem: "too_few_signatures", what };
  }
  const [first] = refused;
  if (first !== undefined) {
    const { problem, key_id, why, instead } = first;
    return { held: false, problem, what: `is signed by key ${key_id}, ${why}${instead}` };
  }
  const named = signatures.map(({ key_id }) => key_id).join(", ");
  const isOther = signatures.some(({ key_id }) => trust.standingOf(role, key_id, at_ms) === "other_role");
  const what = `is signed by key ${named}, which is not trusted${isOther ? ` in the role ${role}` : ""}`;
  return { held: false, problem: "wrong_key", what };
};

interface RefusedSigner {
  readonly problem: SignatureProblem;
  readonly key_id: string;
  readonly why: string;
  /** What to do, where that key alone signed. */
  readonly instead: string;
}

const whyNot = (role: KeyRole, key_id: string, trust: Trust, at_ms: number): RefusedSigner | null => {
  switch (trust.standingOf(role, key_id, at_ms)) {
    case "revoked":
      return { problem: "key_revoked", key_id, why: "which is revoked", instead: "; sign it by its successor" };
    case "expired":
      return { problem: "key_out_of_days", key_id, why: "whose days are over", instead: "; sign it by another" };
    case "not_yet_valid":
      return { problem: "key_out_of_days", key_id, why: "whose days have not begun", instead: "" };
    case "believed":
    case "unknown":
    case "other_role":
      return null;
  }
};
