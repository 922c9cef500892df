import { documentBytes, type SignedDocument } from "../../wire/signed-document.ts";
import { type Handover, parseHandover } from "./handover.ts";
import { KeyRefused } from "./key-error.ts";
import { isWithinDays, type KeyLine, lineOf } from "./key-line.ts";
import { verifyBytes } from "./verify-bytes.ts";

/** Longer than any row of rotations that is still looked after; a new list starts anew. */
export const maxHandoverSteps = 16;

/**
 * The listed keys, and every key that a row of hand-overs leads to. A hand-over counts where a key that is in the role, and was within its days
 * when it signed, signed it alone. Throws `KeyRefused` (`handover_refused`): one that leads nowhere, a second one of the same
 * key, a key that is in the role already (so that no row meets itself), and a row that is too long.
 */
export const followHandovers = (
  listed: readonly KeyLine[],
  documents: readonly SignedDocument[],
  path: string,
): readonly KeyLine[] => {
  const refuse = (index: number, what: string): never => {
    throw new KeyRefused("handover_refused", `keyring ${path}: handovers[${index}] ${what}`);
  };
  const lines = [...listed];
  const handedOver = new Set<string>();
  let left = documents.map((document, index) => ({ document, index, handover: parsed(document, index, refuse) }));
  while (left.length > 0) {
    // In any order: each time those whose old key is known by now.
    const next = left.filter(({ handover }) => lineOf(lines, handover.role, handover.from) !== undefined);
    if (next.length === 0) return refuse(left[0]!.index, `is from key ${left[0]!.handover.from}, which is not trusted`);
    for (const { document, index, handover } of next) {
      const old = lineOf(lines, handover.role, handover.from) as KeyLine;
      const once = `${handover.role} ${handover.from}`;
      if (handedOver.has(once)) refuse(index, `is a second one of key ${handover.from}; keep the one that is right`);
      handedOver.add(once);
      judge(document, handover, old, (what) => refuse(index, what));
      if (lineOf(lines, handover.role, handover.to.keyId) !== undefined) {
        refuse(index, `leads to key ${handover.to.keyId}, which is in the role already; remove it`);
      }
      if (old.steps === maxHandoverSteps) refuse(index, `is the ${maxHandoverSteps + 1}th in a row; list a newer key`);
      lines.push(lineTo(handover, old));
    }
    left = left.filter((item) => !next.includes(item));
  }
  return Object.freeze(lines);
};

const parsed = ({ payload }: SignedDocument, index: number, refuse: (index: number, what: string) => never): Handover =>
  parseHandover(payload) ?? refuse(index, "is none");

/** The signature alone shows that the old key wants it; the time in it is that key's word. */
const judge = (
  { payload, signatures }: SignedDocument,
  { from, at_ms }: Handover,
  old: KeyLine,
  refuse: (what: string) => never,
): void => {
  const [signature] = signatures;
  if (signature === undefined || signatures.length !== 1 || signature.key_id !== from) {
    refuse(`must have one signature, of key ${from}`);
  }
  if (!verifyBytes(documentBytes("handover", payload), signature!.signature, old.key)) {
    refuse("was altered: its signature does not hold; make it anew");
  }
  if (!isWithinDays(old, at_ms)) refuse(`was signed outside of the days of key ${from}`);
};

const lineTo = ({ role, from, to, not_before_ms, not_after_ms }: Handover, old: KeyLine): KeyLine =>
  Object.freeze({ key: to, role, signer: old.signer, from, steps: old.steps + 1, not_before_ms, not_after_ms });
