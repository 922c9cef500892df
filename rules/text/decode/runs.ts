/** Characters of the base64 alphabets, hexadecimal and base32 within them. */
const isRunCharacter = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
  isRunCharacter[character.charCodeAt(0)] = 1;

/** Is it a character that an encoding may have left? */
export const isOfRun = (code: number): boolean => code < 128 && isRunCharacter[code] === 1;

/** Do `least` such characters stand in a row between two places of a text? Looks backwards from where a row would end: most words are passed over by one look. */
export const holdsRun = (text: string, from: number, to: number, least: number): boolean => {
  let start = from;
  // What lies before it, from `start` on, is known to be of a row.
  let seen = from;
  while (start + least <= to) {
    let at = start + least - 1;
    while (at >= seen && isOfRun(text.charCodeAt(at))) at--;
    if (at < seen) return true;
    seen = start + least;
    start = at + 1;
  }
  return false;
};
