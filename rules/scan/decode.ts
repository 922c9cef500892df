import { codes } from "../text/decode/codes.ts";
import { unpacked, wideText } from "../text/decode/packed.ts";
import { hitsOf } from "./hits.ts";
import { eachRun, minRunCharacters } from "./runs.ts";
import type { Encoding } from "./span.ts";

/** What one place of a text says once it is decoded. */
export interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly encoding: Encoding;
  readonly isBinary: boolean;
}

/** Sixteen numbers of two digits. */
const minNumbersCharacters = 47;

/** Fewer characters hide nothing: `%41`, `&#65;` and the like stand for one, and single letters need fifteen others. */
const minCharacters = 3;

/** Every place of a text that decodes to another text, by one layer; percent signs by all theirs. Linear. */
export const decodedIn = (text: string): readonly Decoded[] => {
  const { length } = text;
  if (length < minCharacters) return nothing;
  const found: Decoded[] = length < minRunCharacters ? [] : blobs(text);
  if (text.includes("%")) around(text, percentMark, isUrlCharacter, "percent", withoutPercent, found);
  if (text.includes("&#")) around(text, entityMark, isPlainCharacter, "entities", withoutEntities, found);
  if (text.includes("\\")) around(text, escapeMark, isPlainCharacter, "escapes", withoutEscapes, found);
  if (foldMark.test(text)) around(text, foldMarks, isPlainCharacter, "folded", folded, found);
  if (length <= maxSpacedCharacters && length >= minSpacedCharacters && spacedHint.test(text))
    found.push(...spaced(text));
  if (length >= minNumbersCharacters) found.push(...numbers(text));
  return found;
};

const nothing: readonly Decoded[] = Object.freeze([]);

/** The longest blob that is decoded in one piece; what is longer is decoded piece by piece. */
const maxPieceCharacters = 4 * 1024 * 1024;

const blobs = (text: string): Decoded[] => {
  const found: Decoded[] = [];
  const take = (start: number, end: number): void => {
    const decoded = blobOf(text, start, end);
    if (decoded !== null) found.push({ start, end, ...decoded });
  };
  eachRun(text, (start, end) => {
    for (let from = start; from < end; from += maxPieceCharacters) take(from, Math.min(end, from + maxPieceCharacters));
    if (end - start > maxSplitCharacters) return;
    // What a `/`, `_` or `-` sets apart: in the path of a URL a blob begins in the middle of a run.
    let from = start;
    for (let at = start; at <= end; at++) {
      const code = at < end ? text.charCodeAt(at) : 47;
      if (code !== 47 && code !== 95 && code !== 45) continue;
      if (at - from >= minRunCharacters && at - from < end - start) take(from, at);
      from = at + 1;
    }
  });
  return found;
};

/** Paths and names are shorter; a blob that is longer begins where its run does. */
const maxSplitCharacters = 8 * 1024;

type Blob = Pick<Decoded, "text" | "encoding" | "isBinary">;

const hexOnly = /^[0-9a-f]+$/i;
const base32Only = /^[A-Z2-7]+$/;

const blobOf = (text: string, start: number, end: number): Blob | null => {
  const characters = end - start;
  const isHex = beginsAsHex(text, start);
  // Most runs are names in a program: what they would decode to begins with no character.
  if (!isHex && characters < minBinaryCharacters && !beginsAsText(text, start) && !beginsAsBase32(text, start))
    return null;
  const blob = text.slice(start, end);
  if (isHex && hexOnly.test(blob))
    return characters % 2 === 1 ? null : readable(Buffer.from(blob, "hex"), "hex", characters);
  if (characters >= 24 && base32Only.test(blob)) {
    const decoded = readable(base32(blob), "base32", 0);
    if (decoded !== null) return decoded;
  }
  return readable(Buffer.from(blob, "base64"), "base64", characters);
};

/** Names have another letter soon; the whole is looked at where they have not. */
const beginsAsHex = (text: string, start: number): boolean => {
  for (let at = start; at < start + 8; at++) if (!isHexCode(text.charCodeAt(at))) return false;
  return true;
};

const beginsAsBase32 = (text: string, start: number): boolean => {
  for (let at = start; at < start + 8; at++) {
    const code = text.charCodeAt(at);
    if (!((code >= 65 && code <= 90) || (code >= 50 && code <= 55))) return false;
  }
  return true;
};

const isHexCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

/** Whether the first three bytes are of a text, of UTF-16 of either order, with its mark or zeros between, or of gzip or zlib. */
const beginsAsText = (text: string, start: number): boolean => {
  const bits =
    (sextet(text.charCodeAt(start)) << 18) |
    (sextet(text.charCodeAt(start + 1)) << 12) |
    (sextet(text.charCodeAt(start + 2)) << 6) |
    sextet(text.charCodeAt(start + 3));
  const first = bits >> 16;
  const second = (bits >> 8) & 255;
  const third = bits & 255;
  if (isTextByte(first))
    return ((isTextByte(second) || second === 0) && isTextByte(third)) || (first === 0x78 && second >= 0x9c);
  if (first === 0) return isTextByte(second) && third === 0;
  return (first === 0x1f && second === 0x8b) || (first ^ second) === 1;
};

const isTextByte = (byte: number): boolean => (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9;

const sextet = (code: number): number => {
  if (code >= 97) return code - 71;
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 48 && code <= 57) return code + 4;
  return code === 43 || code === 45 ? 62 : 63;
};

/** From here on, bytes that are no text are looked at too: a key may lie between them. */
const minBinaryCharacters = 64;

const readable = (bytes: Buffer, encoding: Encoding, characters: number): Blob | null => {
  const share = printableShare(bytes);
  if (share >= 0.9) return { text: textIn(bytes), encoding, isBinary: false };
  const wide = wideText(bytes);
  if (wide !== null) return { text: wide, encoding, isBinary: false };
  const inner = unpacked(bytes);
  if (inner !== null) return { text: wideText(inner) ?? inner.toString("utf8"), encoding, isBinary: false };
  return characters >= minBinaryCharacters ? { text: bytes.toString("latin1"), encoding, isBinary: true } : null;
};

const textIn = (bytes: Buffer): string => bytes.toString("utf8");

/** Of the first bytes; what is behind them is looked at all the same. */
const printableShare = (bytes: Buffer): number => {
  const looked = Math.min(bytes.length, 64);
  let printable = 0;
  for (let at = 0; at < looked; at++) {
    const byte = bytes[at] as number;
    if ((byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9) printable++;
  }
  return looked === 0 ? 0 : printable / looked;
};

const base32 = (blob: string): Buffer => {
  const bytes = Buffer.alloc(Math.floor((blob.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < blob.length; index++) {
    const code = blob.charCodeAt(index);
    held = ((held << 5) | (code >= 65 ? code - 65 : code - 24)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (held >> bits) & 0xff;
  }
  return bytes;
};

/** The stretch of characters around each mark, decoded as a whole. */
const around = (
  text: string,
  mark: RegExp,
  isPart: (code: number) => boolean,
  encoding: Encoding,
  decode: (stretch: string) => string,
  found: Decoded[],
): void => {
  let end = 0;
  mark.lastIndex = 0;
  for (let hit = mark.exec(text); hit !== null; hit = mark.exec(text)) {
    let start = hit.index;
    while (start > end && isPart(text.charCodeAt(start - 1))) start--;
    end = hit.index + hit[0].length;
    while (end < text.length && isPart(text.charCodeAt(end))) end++;
    const stretch = text.slice(start, end);
    const decoded = decode(stretch);
    // Behind the stretch: decoding may use the same pattern.
    mark.lastIndex = end;
    if (decoded !== stretch) found.push({ start, end, text: decoded, encoding, isBinary: false });
  }
};

const isUrlCharacter = (code: number): boolean =>
  code === 37 || code === 61 || code === 126 || code === 46 || (code < 128 && isWordCode(code)) || code === 58;
const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 43 ||
  code === 45 ||
  code === 47 ||
  code === 95;
/** Anything but what ends a word, a quoted text or an element. */
const isPlainCharacter = (code: number): boolean =>
  code > 32 && code !== 34 && code !== 39 && code !== 60 && code !== 62 && code !== 96;

const percentMark = /%[0-9a-f]{2}/gi;
const entityMark = /&#(?:x[0-9a-f]{1,6}|[0-9]{1,7});?/gi;
const escapeMark = /\\(?:u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2})/gi;
/** Characters that are not seen, and the wide forms of ASCII. */
const foldMark =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\uff01-\uff5e]|[\ufe00-\ufe0f]|\udb40[\udc00-\udc7f]/;
const foldMarks = new RegExp(foldMark, "g");

/** Layers of percent signs that are taken off. Nothing that is meant has more. */
const maxPercentLayers = 6;

const withoutPercent = (stretch: string): string => {
  let text = stretch;
  for (let layer = 0; layer < maxPercentLayers && text.includes("%"); layer++) {
    const next = text.replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
      Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
    );
    if (next === text) break;
    text = next;
  }
  return text;
};

const character = (code: number, otherwise: string): string =>
  code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;

const withoutEntities = (stretch: string): string =>
  stretch.replace(entityMark, (entity) => {
    const digits = entity.slice(2).replace(";", "");
    return character(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 10), entity);
  });

const withoutEscapes = (stretch: string): string =>
  stretch.replace(escapeMark, (written) =>
    character(Number.parseInt(written.slice(2).replace(/[{}]/g, ""), 16), written),
  );

const folded = (stretch: string): string => stretch.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");

/** Four single characters in a row: cheap to ask, and rare. */
const spacedHint = /[ .,|-]\w[ .,|-]\w[ .,|-]\w[ .,|-]\w[ .,|-]/;
const maxSpacedCharacters = 64 * 1024;
/** Sixteen characters with a separator between each two. */
const minSpacedCharacters = 31;
/** `A K I A I O S …`, `g.h.p._.…`: single characters with the same separator between them. */
const spacedMark =
  /(?<![A-Za-z0-9_])[A-Za-z0-9_](?:([ .,|-])[A-Za-z0-9_/+])(?:\1[A-Za-z0-9_/+-]){14,400}(?![A-Za-z0-9_])/g;

const spaced = (text: string): readonly Decoded[] =>
  hitsOf(spacedMark, text).map(({ start, end, text: stretch }) => ({
    start,
    end,
    text: stretch.replaceAll(stretch[1] ?? " ", ""),
    encoding: "spaced",
    isBinary: false,
  }));

const numbers = (text: string): readonly Decoded[] =>
  codes(text).map(({ start, end, text: decoded }) => ({
    start,
    end,
    text: decoded,
    encoding: "numbers",
    isBinary: false,
  }));
