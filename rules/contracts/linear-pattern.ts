import { RE2JS } from "re2js";
import { RuleDefinitionError } from "../definition-error.ts";

/**
 * A pattern that judges in time linear in the text. It is written as a JavaScript pattern of the `u` mode, so that the
 * JSON Schema that advertises it says the same, and is run by RE2, which has no form that backtracks. What RE2 reads
 * otherwise than JavaScript is written out (`\s`, `.`) or refused (`[]`, `[^]`); look-around and back-references are refused.
 */
export interface LinearPattern {
  readonly source: string;
  test(text: string): boolean;
}

const maxPatternLength = 4096;
const knownFlags = /^[isu]*$/;

/** White space as JavaScript knows it, which RE2 does not. */
const space =
  "\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const notLineEnd = "[^\\n\\r\\x{2028}\\x{2029}]";

/** @param where what the message begins with. Throws `RuleDefinitionError`. */
export const linearPattern = (source: string, flags: string, where: string): LinearPattern => {
  const refuse = (why: string): never => {
    throw new RuleDefinitionError(`${where}: the pattern ${why}`);
  };
  if (source.length > maxPatternLength) refuse(`is longer than ${maxPatternLength} characters`);
  if (!knownFlags.test(flags)) refuse("has a flag other than i, s and u");
  try {
    new RegExp(source, flags.includes("u") ? flags : `${flags}u`);
  } catch {
    refuse("is not one of JavaScript with the flag u");
  }
  const options = (flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0) | (flags.includes("s") ? RE2JS.DOTALL : 0);
  let compiled: RE2JS | undefined;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(inRe2(source, flags, refuse)), options);
  } catch (error) {
    if (error instanceof RuleDefinitionError) throw error;
    refuse("cannot be judged in linear time: leave out look-around, back-references and repeats over 1000");
  }
  return { source, test: (text) => (compiled as RE2JS).test(text) };
};

/** Writes out what the two read differently. The source is known to be a JavaScript pattern. */
const inRe2 = (source: string, flags: string, refuse: (why: string) => never): string => {
  let out = "";
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string;
    const pair = char === "\\" ? source.slice(at, at + 2) : char;
    if (char === "\\") at++;
    if (pair === "\\k") refuse("refers back to what it matched, which takes more than linear time");
    if (flags.includes("i") && /^\\[wWbB]$/.test(pair))
      refuse(`has ${pair} under the flag i; write the characters out`);
    if (pair === "\\s") out += inClass ? space : `[${space}]`;
    else if (pair === "\\S")
      out += inClass ? refuse("has \\S inside of brackets; write the characters out") : `[^${space}]`;
    else if (pair === "." && !inClass && !flags.includes("s")) out += notLineEnd;
    else {
      if (pair === "[" && !inClass) {
        if (/^\[\^?\]/.test(source.slice(at, at + 3))) refuse("has empty brackets");
        inClass = true;
      } else if (pair === "[") out += "\\";
      else if (pair === "]") inClass = false;
      out += pair;
    }
  }
  return out;
};
