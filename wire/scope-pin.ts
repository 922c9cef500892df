import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/**
 * What a client pins and a daemon compares it with: `sha256:` and 64 hex digits, SHA-256 over the UTF-8 of a signed scope
 * document's payload, exactly as it stands in the file. Signatures may be added without another pin.
 */
export const scopePin = (payload: string): string =>
  `sha256:${createHash("sha256").update(Buffer.from(payload, "utf8")).digest("hex")}`;

export const isScopePin = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);
