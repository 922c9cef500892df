import { hitsOf } from "../../scan/hits.ts";
import type { Span } from "../../scan/span.ts";

/** https://www.ssa.gov/employer/randomization.html: areas 000, 666 and 900 to 999, group 00 and serial 0000 are not given out. */
const dashed = /(?<![0-9A-Za-z.-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z]|-[0-9A-Za-z])/g;
const other = /(?<![0-9A-Za-z.-])(?!000|666|9)[0-9]{3} ?(?!00)[0-9]{2} ?(?!0000)[0-9]{4}(?![0-9A-Za-z]|[.-][0-9])/g;
const context = /\bssn\b|social.?sec|\bss#|\bsoc\.? sec|taxpayer.?id|\bitin\b/i;
const named = /^(?:.*[_-])?ssn$|social.?security/i;
const contextCharacters = 48;

/** US social security numbers: with dashes as they are written; without, only where something says that it is one. */
export const socialSecurityNumbersIn = (text: string, name: string): readonly Span[] => {
  const spans: Span[] = [];
  for (const { start, end, text: number } of hitsOf(dashed, text))
    if (!wellKnown.has(number)) spans.push({ class: "ssn", start, end, confidence: 0.92, encodings: [] });
  if (!named.test(name) && !context.test(text)) return spans;
  for (const { start, end } of hitsOf(other, text))
    if (named.test(name) || context.test(text.slice(Math.max(0, start - contextCharacters), start)))
      spans.push({ class: "ssn", start, end, confidence: 0.93, encodings: [] });
  return spans;
};

/** Printed in advertisements, and never given out. */
const wellKnown: ReadonlySet<string> = new Set(["078-05-1120", "219-09-9999"]);
