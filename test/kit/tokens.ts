import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newClaims, signToken } from "../../daemon/identity/issue-token.ts";
import type { TokenClaims } from "../../daemon/identity/token.ts";
import { publicKeyText } from "../../daemon/keys/payload.ts";
import { generateKeyPair, type PrivateKey } from "../../daemon/keys/private-key.ts";
import { writeKeyPair } from "../../daemon/keys/write-key-pair.ts";
import { chainIn } from "../../daemon/store/sqlite/chain-in.ts";
import type { Place } from "./place.ts";

/** What signs the tokens of a place. */
export interface TokenOffice {
  readonly key: PrivateKey;
  readonly keyPath: string;
  /** A token that begins now and stands for 15 minutes, with these changes. */
  token(principal: string, changes?: Partial<TokenClaims>, by?: PrivateKey): string;
}

/** Gives a place a key of the role tokens, believed by its keyring. `audience`: of a daemon that was never started, name one. */
export const tokenOffice = async (place: Place, audience?: string): Promise<TokenOffice> => {
  const key = generateKeyPair();
  const { privatePath } = await writeKeyPair(join(place.home, "tokens.key"), key);
  await believe(place, key);
  return {
    key,
    keyPath: privatePath,
    token: (principal, changes = {}, by = key) => {
      const named = audience ?? `chain:${chainIn(join(place.state, "ledger.db"))}`;
      const claims = newClaims({ principal, audience: named, life_s: 900, once: false, now_ms: Date.now() });
      return signToken({ ...claims, ...changes }, by);
    },
  };
};

/** The keyring of a place: this key, in the role tokens, revoked or not. */
export const believe = (place: Place, { publicKey }: PrivateKey, revoked = false): Promise<void> =>
  writeFile(
    join(place.home, "keyring.json"),
    JSON.stringify({
      v: 1,
      keys: [{ key_id: publicKey.keyId, public: publicKeyText(publicKey), roles: ["tokens"] }],
      ...(revoked ? { revoked: [{ key_id: publicKey.keyId, at: "2026-01-01T00:00:00Z", reason: "lost" }] } : {}),
    }),
    { mode: 0o644 },
  );
