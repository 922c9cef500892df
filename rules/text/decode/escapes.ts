import type { Layer } from "./layers.ts";

const fewest = 3;

/** Words with at least three escapes: `ignore%20all%20previous%20rules`. */
export const percent = (text: string): readonly Layer[] =>
  text.includes("%") ? words(text, "percent", /%[0-9a-fA-F]{2}/g, percentDecoded) : [];

export const entities = (text: string): readonly Layer[] =>
  text.includes("&#") ? words(text, "entities", /&#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6});?/g, entityDecoded) : [];

/** `\u0069`, `\x69`, `\u{69}`. */
export const escapes = (text: string): readonly Layer[] =>
  text.includes("\\u") || text.includes("\\x")
    ? words(text, "escapes", /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,6}\})/g, escapeDecoded)
    : [];

/** Stretches of escapes that lie near each other, each with what stands around it. */
const words = (
  text: string,
  kind: Layer["kind"],
  form: RegExp,
  decoded: (text: string) => string,
): readonly Layer[] => {
  const layers: Layer[] = [];
  let start = -1;
  let end = -1;
  let count = 0;
  const take = (): void => {
    if (count >= fewest) {
      const from = Math.max(0, start - around);
      const to = Math.min(text.length, end + around);
      const made = decoded(text.slice(start, end));
      const before = text.slice(from, start);
      layers.push({
        kind,
        start: from,
        end: to,
        text: before + made + text.slice(end, to),
        from: before.length,
        to: before.length + made.length,
      });
    }
  };
  for (const { 0: found, index } of text.matchAll(form)) {
    if (start >= 0 && index - end <= nearest) {
      end = index + found.length;
      count++;
      continue;
    }
    take();
    start = index;
    end = index + found.length;
    count = 1;
  }
  take();
  return layers;
};

/** Two escapes with more between them are not of one stretch. */
const nearest = 64;
/** Only some of a sentence may be encoded: so much of what stands around it is read with it. */
const around = 120;

const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));

const entityDecoded = (text: string): string =>
  text.replace(/&#(?:([0-9]{1,7})|[xX]([0-9a-fA-F]{1,6}));?/g, (_, decimal?: string, hexadecimal?: string) =>
    character(decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)),
  );

const escapeDecoded = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,6})\})/g,
    (_, four?: string, two?: string, braced?: string) => character(Number.parseInt(four ?? two ?? braced ?? "", 16)),
  );

const character = (code: number): string => (code > 0x10ffff || Number.isNaN(code) ? " " : String.fromCodePoint(code));
