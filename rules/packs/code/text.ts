import { maxChain, maxLines, maxOpenBrackets, maxProgramCharacters, maxQuotes, maxRareMarks } from "./program.ts";

/** Whether a text is short enough, and enough like a program, to be parsed in a few milliseconds. */
export const isPlausible = (text: string): boolean => {
  if (text.length > maxProgramCharacters) return false;
  let lines = 0;
  let open = 0;
  let quotes = 0;
  let rare = 0;
  let chain = 0;
  for (const character of text) {
    if (character === "\n") lines++;
    else if (character === "(" || character === "[" || character === "{") open++;
    else if (character === ")" || character === "]" || character === "}") open--;
    else if (character === "'" || character === '"' || character === "`") quotes++;
    else if ("!\\$?@^~|&%#".includes(character)) rare++;
    if (character === ".") chain++;
    else if (" \t\n;,".includes(character)) chain = 0;
    if (chain > maxChain) return false;
    if (open > maxOpenBrackets || quotes > maxQuotes || rare > maxRareMarks || lines > maxLines) return false;
  }
  return true;
};

export const moduleName = (text: string): string => text.replace(/^node:/, "");

/** What stands in a string of either language; escapes of characters are resolved. */
export const unquoted = (source: string): string | null => {
  const found = /^[A-Za-z]{0,2}("""|'''|"|'|`)/.exec(source);
  if (found === null) return null;
  const quote = found[1]!;
  const inner = source.slice(found[0].length, source.endsWith(quote) ? -quote.length : undefined);
  return inner.replaceAll(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))/g,
    (_all, byte, unit, other: string | undefined) =>
      byte !== undefined || unit !== undefined ? String.fromCharCode(Number.parseInt(byte ?? unit, 16)) : (other ?? ""),
  );
};
