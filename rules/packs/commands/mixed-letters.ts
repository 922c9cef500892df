/** Letters of Latin, Cyrillic and Greek look alike: https://www.unicode.org/reports/tr39/#Mixed_Script_Detection. */
const latin = /[A-Za-z]/;
const alike = /[\u0370-\u03ff\u0400-\u052f]/;

/** Does a word name a file or a program by letters of two alphabets, which a person reads as another name? */
export const readsAsMixed = (text: string): boolean => {
  if (!alike.test(text) || /\s/.test(text)) return false;
  return text.split(/[/.\\-]/).some((part) => latin.test(part) && alike.test(part));
};
