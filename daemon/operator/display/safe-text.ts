/**
 * Text off an agent as a terminal may show it. What could move the cursor, colour, hide, reorder or fake a line is written as an
 * escape: controls (C0, C1, DEL), format and bidirectional controls, joiners and fillers that are not seen, line and paragraph
 * separators, blanks that are no space, marks that stand first or pile up, and long runs of spaces.
 */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/gu;
const marks = /(^|[^\p{L}\p{M}\p{N}])(\p{M}+)|(\p{M}{3})(\p{M}+)/gu;
const spaces = / {3,}/g;
/** Hebrew, Arabic, Syriac, Thaana, N'Ko and the other scripts that run from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const escaped = (text: string): string =>
  [...text].map((character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`).join("");

export const safeText = (text: string): string => {
  const seen = text
    .replace(unseen, escaped)
    .replace(marks, (_all, before?: string, first?: string, kept?: string, more?: string) =>
      kept === undefined ? `${before}${escaped(first as string)}` : `${kept}${escaped(more as string)}`,
    )
    .replace(spaces, ({ length }) => `\\u{20}{${length}}`);
  // Isolated, so that it reorders nothing but itself: first strong isolate, pop directional isolate.
  return rightToLeft.test(seen) ? `\u2068${seen}\u2069` : seen;
};

/** In quotes, so that where it ends is seen. */
export const quotedText = (text: string): string => `"${safeText(text.replace(/[\\"]/g, (sign) => `\\${sign}`))}"`;

/** A name as it is where it is made of what names are made of, else in quotes. */
export const safeName = (text: string): string => (/^[A-Za-z0-9_.:/@-]{1,128}$/.test(text) ? text : quotedText(text));

/** JSON whose strings hold nothing that a terminal would act on. It reads back as the same value. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replace(unseen, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
