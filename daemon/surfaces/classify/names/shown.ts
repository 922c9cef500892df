const longestName = 96;
const longestPath = 240;

/** A name out of a definition as a reason shows it: every character that is not plain ASCII is written as its code. */
export const shownName = (name: string): string => JSON.stringify(shown(name, longestName));

export const shownPath = (path: string): string => shown(path, longestPath);

const shown = (text: string, most: number): string => {
  let made = "";
  for (const character of text.slice(0, most)) {
    const code = character.codePointAt(0)!;
    made += code >= 32 && code < 127 ? character : `\\u{${code.toString(16)}}`;
    if (made.length >= most) break;
  }
  return text.length > most || made.length > most ? `${made.slice(0, most - 3)}...` : made;
};
