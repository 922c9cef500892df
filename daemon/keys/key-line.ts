import type { PublicKey } from "./public-key.ts";
import type { KeyRole } from "./roles.ts";

/** One key in one role: who vouches for it, and when it counts. */
export interface KeyLine {
  readonly key: PublicKey;
  readonly role: KeyRole;
  /** The listed key that its row of hand-overs begins with: itself where it is listed. One signer, however many keys. */
  readonly signer: string;
  /** The key that handed over to it; null where it is listed. */
  readonly from: string | null;
  /** Hand-overs between the listed key and this one. */
  readonly steps: number;
  /** Null: from ever, without end. */
  readonly not_before_ms: number | null;
  readonly not_after_ms: number | null;
}

export const isWithinDays = ({ not_before_ms, not_after_ms }: KeyLine, at_ms: number): boolean =>
  (not_before_ms === null || at_ms >= not_before_ms) && (not_after_ms === null || at_ms < not_after_ms);

export const lineOf = (lines: readonly KeyLine[], role: KeyRole, key_id: string): KeyLine | undefined =>
  lines.find((line) => line.role === role && line.key.keyId === key_id);
