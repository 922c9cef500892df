const longestShown = 64;

/**
 * A name out of a listing as a person is shown it, in a log or a receipt: what has no sign of its own, or could turn the line, stands
 * there as `<U+200B>`. At most 64 signs, then how many there are.
 */
export const shownName = (name: string): string => {
  const signs = [...name];
  const shown = signs.slice(0, longestShown).map(shownSign).join("");
  return signs.length > longestShown ? `${shown}... (${signs.length} characters)` : shown;
};

const unseen = /[\p{C}\p{Z}\p{Bidi_Control}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/u;

const shownSign = (sign: string): string => {
  if (sign === " " || !unseen.test(sign)) return sign;
  return `<U+${(sign.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}>`;
};
