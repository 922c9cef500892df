import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whatever lies in the folder of the signing key and is no public key: who issues tokens or signs scopes keeps those keys there too. */
export const privateKeysBeside = (signingKey: string): readonly string[] => {
  const folder = dirname(signingKey);
  try {
    return readdirSync(folder)
      .filter((name) => !name.endsWith(".pub"))
      .map((name) => join(folder, name));
  } catch {
    // There is no such folder: there are no keys in it.
    return [];
  }
};
