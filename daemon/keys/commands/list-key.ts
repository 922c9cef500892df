import { timeText } from "../../../wire/utc-time.ts";
import type { JsonValue } from "../../../wire/value.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { KeyringFile } from "../change-keyring.ts";
import { publicKeyText } from "../payload.ts";
import type { PublicKey } from "../public-key.ts";
import { isReason } from "../revocation.ts";
import type { KeyRole } from "../roles.ts";

/** What a keyring is to say of a key. */
export interface KeyToList {
  readonly key: PublicKey;
  readonly roles: readonly KeyRole[];
  /** Null: as the keyring says already, else without end. */
  readonly not_before_ms: number | null;
  readonly not_after_ms: number | null;
  readonly comment: string | null;
}

/** Before anything is made or written for them. Throws Refusal. */
export const judgeTerms = ({ roles, not_before_ms, not_after_ms, comment }: Omit<KeyToList, "key">): void => {
  if (roles.length === 0) throw new Refusal(ExitCode.refused, "a key needs a role: give --role");
  if (comment !== null && !isReason(comment)) {
    throw new Refusal(ExitCode.refused, "a comment is one line of at most 200 ASCII characters");
  }
  if (not_before_ms !== null && not_after_ms !== null && not_after_ms <= not_before_ms) {
    throw new Refusal(ExitCode.refused, "--not-after is not later than --not-before: the key would have no day");
  }
};

/** The keyring with this key in these roles too. A key that stands in it already keeps its roles. */
export const withKey = (file: KeyringFile, { key, ...terms }: KeyToList): KeyringFile => {
  judgeTerms(terms);
  const { roles, not_before_ms, not_after_ms, comment } = terms;
  const known = file.keys.find(({ key_id }) => key_id === key.keyId);
  const entry: { readonly [key: string]: JsonValue } = {
    key_id: key.keyId,
    public: publicKeyText(key),
    ...known,
    roles: [...new Set([...((known?.roles as readonly string[] | undefined) ?? []), ...roles])],
    ...(not_before_ms === null ? {} : { not_before: timeText(not_before_ms) }),
    ...(not_after_ms === null ? {} : { not_after: timeText(not_after_ms) }),
    ...(comment === null ? {} : { comment }),
  };
  return { ...file, keys: [...file.keys.filter(({ key_id }) => key_id !== key.keyId), entry] };
};
