/** A stretch of text in quotation marks: what stands in it is shown rather than said. */
export interface Quotation {
  readonly open: number;
  readonly close: number;
}

const farthest = 240;
const closing: Readonly<Record<string, string>> = { "'": "'", '"': '"', "`": "`", "«": "»", "「": "」", "『": "』" };

const isLetter = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));

/** JSON has every string in double quotes: there they say nothing, unless they are escaped. */
const looksLikeJson = (text: string): boolean => /^\s{0,64}[[{]/.test(text);

/**
 * The quotation around `start` to `end`. The text is in plain letters, so that curly marks are straight ones. Looks at a bounded stretch before and behind.
 */
export const quotationAround = (text: string, start: number, end: number): Quotation | null => {
  const isJson = looksLikeJson(text);
  const first = Math.max(0, start - farthest);
  const last = Math.min(text.length, end + farthest);
  for (let open = start - 1; open >= first; open--) {
    const mark = closing[text.charAt(open)];
    if (mark === undefined || isLetter(text, open - 1) || text.charCodeAt(open + 1) <= 32) continue;
    if (isJson && mark === '"' && text.charAt(open - 1) !== "\\") continue;
    // A mark that closes an earlier quotation opens none.
    for (let close = end; close < last; close++)
      if (text.charAt(close) === mark && !isLetter(text, close + 1)) return { open, close };
  }
  return null;
};
