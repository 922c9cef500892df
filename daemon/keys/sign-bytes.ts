import type { PrivateKey } from "./private-key.ts";
import { nacl } from "./tweetnacl.ts";

/** Signs with tweetnacl (about 5 ms). 64 bytes, the same each time (RFC 8032). */
export const signBytes = (bytes: Uint8Array, key: PrivateKey): Uint8Array =>
  nacl().sign.detached(bytes, nacl().sign.keyPair.fromSeed(key.seed).secretKey);
