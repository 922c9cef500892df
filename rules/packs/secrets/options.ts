import type { Over } from "../../scan/budget.ts";

export interface SecretsOptions {
  /** Hosts that a call may send tokens to in its headers: `api.github.com`, `.internal.example.com` with all below it. */
  readonly allowAuthHeader?: readonly string[];
  /** Opaque credentials in the headers of a request, which is how services are used: `pass`, or `ask`. Tokens with an issuer's prefix are held either way. */
  readonly opaqueHeaders?: "pass" | "ask";
  /** Where `password = …` and the like, which only their name gives away, are held: calls that leave this machine, or all calls. */
  readonly namedSecrets?: "outward" | "everywhere";
  /** Random-looking words of twenty characters and more in what leaves: `ask` holds each. */
  readonly highEntropy?: "pass" | "ask";
  /** Texts that were planted and must never leave, as they are or as `sha256:` and 64 hexadecimal digits of a word. */
  readonly canaries?: readonly string[];
  /** A result with a secret: the secret is taken out, or the result is withheld. */
  readonly results?: "redact" | "block";
  readonly maxScannedCharacters?: number;
  readonly over?: Over;
}
