import { canonicalJson } from "../../wire/canonical.ts";
import { timeText, timeText_ms } from "../../wire/utc-time.ts";
import { parsePayload, publicKeyText, rawPublicKey, timeOrNull } from "./payload.ts";
import type { PublicKey } from "./public-key.ts";
import { isKeyRole, type KeyRole } from "./roles.ts";

/**
 * The payload of a document of the kind `handover`: who believes the key `from` in this role believes the key `to` as well, within its
 * days. Signed by `from`, and by nobody else.
 */
export interface Handover {
  readonly role: KeyRole;
  /** Key id of the old key. */
  readonly from: string;
  readonly to: PublicKey;
  /** When it was signed, by the word of who signed it. */
  readonly at_ms: number;
  readonly not_before_ms: number;
  readonly not_after_ms: number | null;
}

/** Canonical JSON of exactly these keys: `at`, `from`, `not_after`, `not_before`, `role`, `to` (32 bytes of base64), `v`. */
export const handoverText = ({ role, from, to, at_ms, not_before_ms, not_after_ms }: Handover): string =>
  canonicalJson({
    at: timeText(at_ms),
    from,
    not_after: not_after_ms === null ? null : timeText(not_after_ms),
    not_before: timeText(not_before_ms),
    role,
    to: publicKeyText(to),
    v: 1,
  });

/** Null where it is none. */
export const parseHandover = (payload: string): Handover | null => {
  const json = parsePayload(payload, ["at", "from", "not_after", "not_before", "role", "to", "v"]);
  if (json === null || json.v !== 1) return null;
  const at_ms = timeText_ms(json.at);
  const not_before_ms = timeText_ms(json.not_before);
  const not_after_ms = timeOrNull(json.not_after);
  const to = rawPublicKey(json.to);
  const { from, role } = json;
  if (at_ms === null || not_before_ms === null || not_after_ms === undefined || to === null) return null;
  if (typeof from !== "string" || !/^[0-9a-f]{16}$/.test(from) || !isKeyRole(role)) return null;
  if (not_before_ms < at_ms || (not_after_ms !== null && not_after_ms <= not_before_ms)) return null;
  return Object.freeze({ role, from, to, at_ms, not_before_ms, not_after_ms });
};
