import type { Span } from "../../scan/span.ts";
import { isMixed, likely } from "./kind.ts";
import { isPlaceholder } from "./placeholder.ts";

/**
 * Passwords and keys that a format of files or addresses has at a place of its own, whatever they look like. The part in the first
 * group is the secret.
 */
interface Place {
  readonly class: string;
  /** One of these stands in every such text. */
  readonly lead: string;
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

/** https://www.rfc-editor.org/rfc/rfc7617: a user and a password with a colon between them, in base64. */
export const isUserAndPassword = (secret: string): boolean =>
  /^[\x20-\x7e]{1,128}:[\x20-\x7e]{4,512}$/.test(Buffer.from(secret, "base64").toString("latin1"));

/** https://www.rfc-editor.org/rfc/rfc7518 6: the private part of a key that stands beside its type. */
export const isPrivatePart = (secret: string): boolean => /^[\w-]{43,1024}$/.test(secret) && isMixed(secret);

const places: readonly Place[] = [
  {
    // https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html
    class: "password",
    lead: "machine ",
    pattern: /\bmachine\s{1,8}[^\s]{1,253}\s{1,8}login\s{1,8}[^\s]{1,128}\s{1,8}password\s{1,8}([^\s]{4,256})/dg,
  },
  {
    class: "database_uri",
    lead: "jdbc:",
    pattern: /jdbc:[a-z0-9]{2,20}:[^\s"'<>]{0,400}?[?&;]password=([^&;\s"'<>]{4,128})/dgi,
  },
  {
    class: "basic_authorization",
    lead: '"auth',
    pattern: /\\?"auth\\?"\s{0,8}:\s{0,8}\\?"([A-Za-z0-9+/]{8,800}={0,2})\\?"/dg,
    accepts: isUserAndPassword,
  },
  {
    class: "private_key",
    lead: '"kty',
    pattern: /\\?"d\\?"\s{0,8}:\s{0,8}\\?"([\w-]{43,1024})\\?"/dg,
    accepts: isPrivatePart,
  },
];

export const secretsOfFormats = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  for (const { class: found, lead, pattern, accepts } of places) {
    if (!text.includes(lead)) continue;
    for (const hit of text.matchAll(pattern)) {
      const [start, end] = hit.indices?.[1] ?? [0, 0];
      const secret = text.slice(start, end);
      if (isPlaceholder(secret) || accepts?.(secret) === false) continue;
      spans.push({ class: found, start, end, confidence: likely, encodings: [] });
    }
  }
  return spans;
};
