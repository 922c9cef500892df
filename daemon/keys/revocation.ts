import { canonicalJson } from "../../wire/canonical.ts";
import { timeText, timeText_ms } from "../../wire/utc-time.ts";
import { parsePayload } from "./payload.ts";

/**
 * A key is believed no more, in no role: whatever it signed, before or after, is refused. The payload of a document of the
 * kind `revocation`, and what the owner of a keyring lists without one.
 */
export interface Revocation {
  readonly key_id: string;
  /** From when on. */
  readonly at_ms: number;
  /** One line, for people. */
  readonly reason: string;
  /**
   * Ids of the keys that it did hand over to. Who has stolen a key can sign a hand-over and write any time into it, so a
   * revoked key's hand-overs hold only where the revocation names the successor.
   */
  readonly successors: readonly string[];
}

export const maxReasonLength = 200;
const maxSuccessors = 8;

export const revocationText = (revocation: Revocation): string =>
  canonicalJson({ ...revocationJson(revocation), v: 1 });

/** As a keyring's list `revoked` has it, without `v`. */
export const revocationJson = ({ key_id, at_ms, reason, successors }: Revocation) => ({
  at: timeText(at_ms),
  key_id,
  reason,
  successors: [...successors],
});

/** Null where it is none. */
export const parseRevocation = (payload: string): Revocation | null => {
  const json = parsePayload(payload, ["at", "key_id", "reason", "successors", "v"]);
  return json === null || json.v !== 1 ? null : revocationOf(json);
};

/** The same of its four keys. */
export const revocationOf = ({
  at,
  key_id,
  reason,
  successors,
}: {
  readonly [key: string]: unknown;
}): Revocation | null => {
  const at_ms = timeText_ms(at);
  if (at_ms === null || !isKeyId(key_id) || !isReason(reason)) return null;
  if (!Array.isArray(successors) || successors.length > maxSuccessors || !successors.every(isKeyId)) return null;
  return Object.freeze({ key_id, at_ms, reason, successors: Object.freeze([...successors]) });
};

/** Printed to terminals: no control characters, nor what looks like another line. */
export const isReason = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= maxReasonLength && /^[\x20-\x7e]+$/.test(value);

export const isKeyId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{16}$/.test(value);
