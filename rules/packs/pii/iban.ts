import { isValidIBAN } from "ibantools";
import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";

/** Two letters, two digits, and eleven to thirty more, whole or in groups of four. */
const shape = /(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/gi;

/** Account numbers whose country has that length and whose two check digits hold: one in ninety-seven would by chance. */
export const ibansIn = (text: string): readonly Span[] =>
  hitsOf(shape, text).flatMap(({ start, text: written }) => {
    const end = longest(written);
    return end === 0 ? [] : [{ class: "iban", start, end: start + end, confidence: 0.97, encodings: [] }];
  });

/** What follows in groups of its own may have been taken along: `… 32 BIC DEUTDEFF`. */
const longest = (written: string): number => {
  for (let end = written.length; end >= 15; end--) {
    const next = written[end];
    if (end < written.length && next !== " " && next !== "-") continue;
    const compact = written.slice(0, end).replace(/[ -]/g, "").toUpperCase();
    if (isValidIBAN(compact)) return end;
  }
  return 0;
};
