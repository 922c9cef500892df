import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { publicKeyText } from "../../daemon/keys/payload.ts";
import { generateKeyPair, type PrivateKey } from "../../daemon/keys/private-key.ts";
import { signDocument } from "../../daemon/keys/sign-document.ts";
import { payloadText } from "../../daemon/scopes/payload.ts";
import type { ScopeSource } from "../../daemon/scopes/schema.ts";
import { scopePin } from "../../wire/scope-pin.ts";
import { signedDocumentText } from "../../wire/signed-document.ts";
import type { Place } from "./place.ts";

/** What signs the scope documents of a place. */
export interface ScopeOffice {
  readonly key: PrivateKey;
  /** Where the daemon reads the document from: the setting of the place. */
  readonly path: string;
  /** Public key (PEM), for clients. */
  readonly publicPath: string;
  /** Signs what it is given, checked or not, and puts it there whole. Resolves to its pin. */
  put(source: ScopeSource, by?: PrivateKey): Promise<string>;
}

/** Gives a place a scope document's setting, and a key of the role scopes that its keyring believes. */
export const scopeOffice = async (place: Place): Promise<ScopeOffice> => {
  const key = generateKeyPair();
  const path = join(place.home, "scopes.signed.json");
  const publicPath = join(place.home, "scopes.key.pub");
  await writeFile(publicPath, key.publicKey.object.export({ format: "pem", type: "spki" }).toString(), { mode: 0o644 });
  await writeFile(
    join(place.home, "keyring.json"),
    JSON.stringify({
      v: 1,
      keys: [{ key_id: key.keyId, public: publicKeyText(key.publicKey), roles: ["scopes"] }],
    }),
    { mode: 0o644 },
  );
  await writeFile(place.config, `scope_document: scopes.signed.json\n`, { flag: "a" });
  return {
    key,
    path,
    publicPath,
    put: async (source, by = key) => {
      const payload = payloadText(source, Date.now());
      await writeFile(`${path}.new`, signedDocumentText(signDocument("scopes", payload, by)));
      await rename(`${path}.new`, path);
      return scopePin(payload);
    },
  };
};
