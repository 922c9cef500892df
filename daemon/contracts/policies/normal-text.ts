/**
 * One form for texts that a person would read as the same: compatibility forms, case, surrounding space and characters
 * that show nothing. Letters of another script that look alike stay different; an allow-list is the answer to those.
 */
export const normalText = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .trim();
