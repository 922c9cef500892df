import { StoreFailed } from "../refused.ts";

const nul = "\u0000";
const mark = "\u001a";
const markedNul = `${mark}0`;
const markedMark = `${mark}1`;

/**
 * PostgreSQL's text holds every character but NUL, and a name on the wire may hold that one. NUL is written as U+001A
 * and `0`, and U+001A itself with a `1`. JSON text has neither of the two, so it is stored as it is. Throws StoreFailed
 * for what is no Unicode text: the server would get another one.
 */
export const toText = (text: string): string => {
  if (!text.isWellFormed()) throw new StoreFailed("the row holds text that is not Unicode");
  return text.replaceAll(mark, markedMark).replaceAll(nul, markedNul);
};

export const fromText = (text: string): string => text.replaceAll(markedNul, nul).replaceAll(markedMark, mark);
