import { documentBytes, type SignedDocument } from "../../wire/signed-document.ts";
import { parseHandover } from "./handover.ts";
import { KeyRefused } from "./key-error.ts";
import { isWithinDays, type KeyLine } from "./key-line.ts";
import { parseRevocation, type Revocation } from "./revocation.ts";
import { verifyBytes } from "./verify-bytes.ts";

/**
 * All revocations that count: the owner's word, and documents that the key itself signed, or another key of one of its roles (its
 * successor is one) that was within its days and not revoked before. Throws `KeyRefused` (`revocation_refused`).
 */
export const takeRevocations = (
  lines: readonly KeyLine[],
  revoked: readonly Revocation[],
  documents: readonly SignedDocument[],
  path: string,
): readonly Revocation[] => {
  const taken = [...revoked];
  // In the order of their times, so that it is known who was revoked before; the index names it in the file.
  const ordered = documents
    .map((document, index) => ({ document, index, revocation: parseRevocation(document.payload) }))
    .sort((a, b) => (a.revocation?.at_ms ?? 0) - (b.revocation?.at_ms ?? 0));
  for (const { document, index, revocation } of ordered) {
    const refuse = (what: string): never => {
      throw new KeyRefused("revocation_refused", `keyring ${path}: revocations[${index}] ${what}`);
    };
    taken.push(judge(document, revocation ?? refuse("is none"), lines, taken, refuse));
  }
  return Object.freeze(taken);
};

const judge = (
  { payload, signatures }: SignedDocument,
  revocation: Revocation,
  lines: readonly KeyLine[],
  before: readonly Revocation[],
  refuse: (what: string) => never,
): Revocation => {
  const roles = lines.filter(({ key }) => key.keyId === revocation.key_id).map(({ role }) => role);
  for (const { key_id, signature } of signatures) {
    const signer = lines.find((line) => line.key.keyId === key_id && roles.includes(line.role));
    if (signer === undefined) {
      return refuse(`is signed by key ${key_id}, which is in no role of key ${revocation.key_id}; list it in revoked`);
    }
    if (!verifyBytes(documentBytes("revocation", payload), signature, signer.key)) {
      return refuse("was altered: its signature does not hold");
    }
    // A key may always take itself back: whoever has stolen it can do no more than end it.
    const isItself = key_id === revocation.key_id;
    const wasRevoked = before.some((one) => one.key_id === key_id && one.at_ms <= revocation.at_ms);
    if (!isItself && (wasRevoked || !isWithinDays(signer, revocation.at_ms))) {
      return refuse(`is signed by key ${key_id}, which was not believed then`);
    }
  }
  return revocation;
};

/**
 * Lines that revocations leave: a key that only a revoked key's hand-over vouches for is believed where each revocation of it
 * names it as a successor and is not before the hand-over, and what stands behind one that is not believed falls with it.
 */
export const withoutDisowned = (
  lines: readonly KeyLine[],
  revocations: readonly Revocation[],
  handovers: readonly SignedDocument[],
): readonly KeyLine[] => {
  const signedAt = new Map<string, number>();
  for (const { payload } of handovers) {
    const handover = parseHandover(payload);
    if (handover !== null) signedAt.set(`${handover.role} ${handover.to.keyId}`, handover.at_ms);
  }
  const left: KeyLine[] = [];
  // Those with fewer steps first: whoever stands in front of a line has been judged before it.
  for (const line of [...lines].sort((a, b) => a.steps - b.steps)) {
    const { from, role, key } = line;
    if (from === null) {
      left.push(line);
      continue;
    }
    const at_ms = signedAt.get(`${role} ${key.keyId}`) ?? Number.POSITIVE_INFINITY;
    const isOwned = revocations
      .filter(({ key_id }) => key_id === from)
      .every((revocation) => revocation.successors.includes(key.keyId) && at_ms <= revocation.at_ms);
    if (isOwned && left.some((other) => other.role === role && other.key.keyId === from)) left.push(line);
  }
  return Object.freeze(left);
};
