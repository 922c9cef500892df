import type { Kind } from "./kind.ts";
import { sure } from "./kind.ts";

/** JSON web tokens, signed or encrypted: the first part is base64url of a JSON object with `alg`, as RFC 7515 has it. */
export const jsonWebTokens: readonly Kind[] = [
  {
    class: "jwt",
    leads: ["eyJ", "ewo"],
    pattern: /(?<![A-Za-z0-9_-])e(?:yJ|wo)[\w-]{8,4096}\.[\w-]{2,16384}(?:\.[\w-]{0,16384}){1,3}/y,
    confidence: sure,
    accepts: (token) => isHeader(token.slice(0, token.indexOf("."))),
  },
];

const isHeader = (part: string): boolean => {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof header === "object" && header !== null && ("alg" in header || "enc" in header || "typ" in header);
  } catch {
    return false;
  }
};
