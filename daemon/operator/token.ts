import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { tokenBytes } from "./limits.ts";

/** What an operator proves itself by: 43 characters of base64url. Only its digest is kept. */
export const newToken = (): string => randomBytes(tokenBytes).toString("base64url");

/** SHA-256, hex. A token is 256 random bits, so a slow hash would protect nothing more. */
export const tokenDigest = (token: string): string => createHash("sha256").update(token, "utf8").digest("hex");

/** Both are 64 hex digits. Takes the same time wherever they differ. */
export const sameDigest = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, "hex"), Buffer.from(b, "hex"));
