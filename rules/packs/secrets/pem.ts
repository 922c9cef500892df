import type { Span } from "../../scan/span.ts";
import { sure } from "./kind.ts";

const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const putty = /PuTTY-User-Key-File-[0-9]:/g;
const puttyEnd = "Private-MAC:";
/** The rest of a key whose end is missing. */
const maxOpenCharacters = 16 * 1024;

/** Private keys as text: PKCS 1 and 8, encrypted ones too, OpenSSH, PGP, PuTTY. Also where line ends are written `\n`. */
export const privateKeysIn = (text: string): readonly Span[] => {
  const [hasPem, hasPpk] = [text.includes("-----BEGIN "), text.includes("PuTTY-User-Key-File-")];
  if (!hasPem && !hasPpk) return none;
  const spans: Span[] = [];
  if (hasPem) pem(text, spans);
  if (hasPpk) ppk(text, spans);
  return spans;
};

const none: readonly Span[] = Object.freeze([]);

const pem = (text: string, spans: Span[]): void => {
  begin.lastIndex = 0;
  for (let hit = begin.exec(text); hit !== null; hit = begin.exec(text)) {
    const from = hit.index + hit[0].length;
    const dashes = text.indexOf("-----", from);
    const isClosed = dashes >= 0 && text.startsWith("-----END ", dashes);
    const end = isClosed ? footerEnd(text, dashes) : bodyEnd(text, from);
    // A header that a text speaks of has no key behind it.
    if (bodyMark.test(text.slice(from, Math.min(end, from + maxHeadersCharacters))))
      spans.push(span("private_key", hit.index, end));
    begin.lastIndex = Math.max(from, end);
  }
};

const bodyMark = /[A-Za-z0-9+/=]{16}/;
/** Headers of a key that is encrypted stand before its body. */
const maxHeadersCharacters = 1024;

const footerEnd = (text: string, from: number): number => {
  const dashes = text.indexOf("-----", from + 5);
  return dashes >= 0 && dashes - from < 80 ? dashes + 5 : from;
};

/** As far as it looks like the body of a key. */
const bodyEnd = (text: string, from: number): number => {
  const body = /[A-Za-z0-9+/=\\\s]{0,16384}/y;
  body.lastIndex = from;
  return from + (body.exec(text)?.[0].length ?? 0);
};

const ppk = (text: string, spans: Span[]): void => {
  putty.lastIndex = 0;
  for (let hit = putty.exec(text); hit !== null; hit = putty.exec(text)) {
    const mac = text.indexOf(puttyEnd, hit.index);
    const end = mac < 0 ? Math.min(text.length, hit.index + maxOpenCharacters) : macEnd(text, mac + puttyEnd.length);
    if (text.slice(hit.index, end).includes("Private-Lines:")) spans.push(span("private_key", hit.index, end));
    putty.lastIndex = end;
  }
};

const macEnd = (text: string, from: number): number => {
  const mac = / ?[0-9a-f]{0,64}/y;
  mac.lastIndex = from;
  return from + (mac.exec(text)?.[0].length ?? 0);
};

const span = (kind: string, start: number, end: number): Span => ({
  class: kind,
  start,
  end,
  confidence: sure,
  encodings: [],
});
