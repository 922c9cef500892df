import { randomBytes } from "node:crypto";

const saltBytes = 16;
const saltsPerDraw = 256;

/** Salts of 32 hex digits. Drawn many at a time: one draw of the system's randomness costs as much as hashing. */
export const saltSource = (): (() => string) => {
  let pool = "";
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(saltBytes * saltsPerDraw).toString("hex");
      used = 0;
    }
    const salt = pool.slice(used, used + 2 * saltBytes);
    used += 2 * saltBytes;
    return salt;
  };
};
