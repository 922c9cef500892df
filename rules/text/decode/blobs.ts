import type { Layer, Token } from "./layers.ts";
import { unpacked, wideText } from "./packed.ts";

const layer = (kind: Layer["kind"], start: number, end: number, text: string): Layer => ({
  kind,
  start,
  end,
  text,
  from: 0,
  to: text.length,
});

const looked = 64;
const shortest = 16;

/** Is it text, rather than bytes of something else? */
export const isProse = (bytes: Uint8Array): boolean => {
  if (bytes.length < 8) return false;
  let spaces = 0;
  for (const byte of bytes) {
    if (byte === 32 || byte === 10) spaces++;
    else if (byte < 32 && byte !== 9 && byte !== 13 && byte !== 27) return false;
    else if (byte === 127) return false;
  }
  return spaces > 0 || bytes.length < looked;
};

/** Characters of an alphabet in a row that the shortest form below has. */
export const shortestBlob = 24;

const base64Form = /[A-Za-z0-9+/_-]{24,}={0,2}/;

/** base64 and its form for URLs, wherever it stands in the token: `data:text/plain;base64,SWdub3Jl`. */
export const base64 = (text: string, { start, end }: Token): readonly Layer[] => {
  const found = base64Form.exec(text.slice(start, end));
  if (found === null) return [];
  const begin = start + found.index;
  // Only what is text at its beginning is decoded to its end; pictures are not.
  const head = Buffer.from(found[0].slice(0, looked), "base64");
  const until = begin + found[0].length;
  if (isProse(head.subarray(0, head.length - 2)))
    return [layer("base64", begin, until, Buffer.from(found[0], "base64").toString("utf8"))];
  const inner = otherwise(found[0], head);
  return inner === null ? [] : [layer("base64", begin, until, inner)];
};

/** UTF-16, or text that gzip or zlib packed, by how it begins. */
const otherwise = (blob: string, head: Buffer): string | null => {
  if (wideText(head) !== null) return wideText(Buffer.from(blob, "base64"));
  if ((head[0] !== 0x1f || head[1] !== 0x8b) && head[0] !== 0x78) return null;
  const inner = unpacked(Buffer.from(blob, "base64"));
  if (inner === null) return null;
  return wideText(inner) ?? (isProse(inner.subarray(0, looked)) ? inner.toString("utf8") : null);
};

const hexForm = /(?:[0-9a-f]{2}){24,}|(?:[0-9A-F]{2}){24,}/;

export const hex = (text: string, { start, end }: Token): readonly Layer[] => {
  const found = hexForm.exec(text.slice(start, end));
  if (found === null) return [];
  const bytes = Buffer.from(found[0], "hex");
  if (!isProse(bytes.subarray(0, looked))) return [];
  const begin = start + found.index;
  return [layer("hex", begin, begin + found[0].length, bytes.toString("utf8"))];
};

const base32Form = /[A-Z2-7]{32,}={0,6}/;
const base32Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export const base32 = (text: string, { start, end }: Token): readonly Layer[] => {
  const found = base32Form.exec(text.slice(start, end));
  if (found === null) return [];
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of found[0]) {
    const five = base32Letters.indexOf(letter);
    if (five < 0) break;
    held = ((held << 5) | five) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  const all = Uint8Array.from(bytes);
  if (!isProse(all.subarray(0, looked))) return [];
  const begin = start + found.index;
  return [layer("base32", begin, begin + found[0].length, Buffer.from(all).toString("utf8"))];
};

/** Bytes with spaces or commas between them: eight binary digits, or two hexadecimal ones. */
const spelled: readonly { readonly form: RegExp; readonly radix: number }[] = [
  { form: /[01]{8}(?:[ ,][01]{8}){7,}/g, radix: 2 },
  { form: /[0-9a-fA-F]{2}(?: [0-9a-fA-F]{2}){15,}/g, radix: 16 },
];

export const binary = (text: string, { start, end: last }: Token): readonly Layer[] =>
  spelled.flatMap(({ form, radix }) =>
    Array.from(text.slice(start, last).matchAll(form)).flatMap(({ 0: found, index: offset }) => {
      const index = start + offset;
      const bytes = Uint8Array.from(found.split(/[ ,]+/), (digits) => Number.parseInt(digits, radix));
      if (bytes.length < shortest / 2 || !isProse(bytes.subarray(0, looked))) return [];
      const end = index + found.length;
      return [layer("binary", index, end, Buffer.from(bytes).toString("utf8"))];
    }),
  );
