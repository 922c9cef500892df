/** Letters at the start and in the middle that the form of a text is judged by. */
const sampled = 2_000;
const leastLetters = 0.6;
const mostCode = 0.04;

/**
 * Whether a text is sentences. Code, tables, logs and encoded bytes are not: they have few letters and spaces, or many braces and
 * semicolons. A mail in JSON is.
 */
export const isProse = (text: string): boolean => {
  const middle = text.length >> 1;
  return (
    looksLikeSentences(text.slice(0, sampled)) ||
    (text.length > sampled && looksLikeSentences(text.slice(middle, middle + sampled)))
  );
};

const looksLikeSentences = (sample: string): boolean => {
  let letters = 0;
  let spaces = 0;
  let code = 0;
  for (let at = 0; at < sample.length; at++) {
    const unit = sample.charCodeAt(at);
    if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit > 0xbf) letters++;
    else if (unit === 0x20 || unit === 0x0a) spaces++;
    else if (unit === 0x7b || unit === 0x7d || unit === 0x3b || unit === 0x3d || unit === 0x28) code++;
  }
  return letters + spaces >= leastLetters * sample.length && spaces * 20 >= letters && code <= mostCode * sample.length;
};
