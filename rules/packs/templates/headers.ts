import type { WireObject, WireValue } from "../../../wire/value.ts";

const encodedBreak =
  /%0[dD]%0[aA](?:[A-Za-z-]{2,40}(?::|%3[aA])|%0[dD]%0[aA])|%0[aA][A-Za-z-]{2,40}(?::|%3[aA])|%E5%98%8[AD]|\\r\\n[A-Za-z-]{2,40}:/;
/** Characters whose last byte is a line break's: a program that keeps only that byte makes one of them. */
const cutBreak = /[\u560a\u560d]{1,4}[A-Za-z-]{2,40}:/;
const rawBreak = /[\r\n]\s{0,2}(?:[A-Za-z][A-Za-z-]{1,40}\s{0,2}:|[\r\n]|HTTP\/1)|\r/;
const headerNames =
  /^(?:header|headers|cookie|setcookie|location|host|referer|referrer|useragent|subject|to|cc|bcc|from|replyto|contenttype|contentdisposition|authorization|origin|accept|filename|xforwardedfor|etag|status|redirect|redirecturl|url|uri|link)$/;
/** A second request behind the first one. */
const secondRequest =
  /[\r\n](?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|CONNECT|TRACE)[ \t]{1,8}[^\s]{1,2048}[ \t]{1,8}HTTP\/[0-9]/;
const firstLine = /^[A-Z]{3,10}[ \t]{1,8}[^\s]{1,2048}[ \t]{1,8}HTTP\/1\.[01]\r?\n/;

/** Whether a text, put into a header or an address, begins another header or another request. `name` is the field's, bare. */
export const breaksHeader = (text: string, name: string): boolean => {
  if (text.includes("%") && encodedBreak.test(text)) return true;
  if (cutBreak.test(text)) return true;
  if (headerNames.test(name)) return rawBreak.test(text.trim()) || (text.includes("\\r\\n") && encodedBreak.test(text));
  return text.includes("HTTP/") && !firstLine.test(text) && secondRequest.test(text);
};

/** How long a body is, said in two ways: one server takes the one, another the other, and a second request is between (RFC 9112, 6.1). */
const isAmbiguous = (headers: readonly (readonly [name: string, value: string])[]): boolean => {
  const lengths = new Set<string>();
  let encoded = 0;
  for (const [name, value] of headers) {
    const called = name.trim().toLowerCase();
    if (called !== "transfer-encoding" && called !== "content-length") continue;
    // A blank or a control character about the name: one server sees the header and another does not.
    if (called.length !== name.length) return true;
    if (called === "content-length") for (const one of value.split(",")) lengths.add(one.trim());
    else {
      encoded++;
      if (
        !/^(?:(?:gzip|deflate|compress|br|identity),[ \t]?)?(?:chunked|gzip|deflate|compress|identity|trailers)$/i.test(
          value,
        )
      )
        return true;
    }
  }
  return encoded > 1 || lengths.size > 1 || (encoded > 0 && lengths.size > 0);
};

const headerMaps: ReadonlySet<string> = new Set(["headers", "header", "httpheaders", "requestheaders", "extraheaders"]);
/** Whether the member of that name holds headers. */
export const namesHeaders = (name: string): boolean =>
  name.length <= 32 && headerMaps.has(name.toLowerCase().replaceAll(/[-_]/g, ""));

const maxDepth = 64;
const maxHeaders = 1_000;

/** The place of headers that are read in two ways; null where there are none. */
export const ambiguousHeaders = (value: WireValue, place = "", depth = 0): string | null => {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || depth > maxDepth) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== "object" || inner === null) continue;
    const at = Array.isArray(value) ? `${place}[${name}]` : place === "" ? name : `${place}.${name}`;
    if (!Array.isArray(value) && namesHeaders(name) && isAmbiguous(pairsOf(inner as WireValue))) return at;
    const found = ambiguousHeaders(inner as WireValue, at, depth + 1);
    if (found !== null) return found;
  }
  return null;
};

/** `{name: value}`, `{name: [value, value]}`, `[{name, value}]`, `[[name, value]]` and `["name: value"]`. */
const pairsOf = (headers: WireValue): readonly (readonly [string, string])[] => {
  if (Array.isArray(headers)) return headers.slice(0, maxHeaders).flatMap(pairOf);
  if (headers instanceof Uint8Array) return [];
  return Object.entries(headers as WireObject)
    .slice(0, maxHeaders)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)] as const));
};

const pairOf = (item: WireValue): readonly (readonly [string, string])[] => {
  if (typeof item === "string") {
    const colon = item.indexOf(":");
    return colon === -1 ? [] : [[item.slice(0, colon), item.slice(colon + 1).trim()]];
  }
  if (Array.isArray(item)) return item.length === 2 ? [[String(item[0]), String(item[1])]] : [];
  if (typeof item !== "object" || item === null || item instanceof Uint8Array) return [];
  const { name, key, value } = item as WireObject;
  return [[String(name ?? key), String(value)]];
};

/** A whole request of HTTP/1 in one text whose headers are read in two ways, or are folded (obs-fold, RFC 9112, 5.2). */
export const isAmbiguousRequest = (text: string): boolean => {
  if (!firstLine.test(text)) return false;
  const [, ...lines] = text.slice(0, 65_536).split(/\r?\n/, maxHeaders);
  const end = lines.indexOf("");
  const head = end === -1 ? lines : lines.slice(0, end);
  return head.some((line) => /^[ \t]/.test(line)) || isAmbiguous(head.flatMap(pairOf));
};
