const ldap =
  /[*)]\s{0,2}\(\s{0,2}[|&!]|\*\)\s{0,2}\(|\)\s{0,2}\([A-Za-z]{1,32}[~<>]?=|\)\(&\)|\*\)\)%00|\)\)\s{0,2}\(\||\(\|\([A-Za-z]{1,32}=\*\)/;

/** Whether a text ends the filter of LDAP that it is put into and begins another (RFC 4515). */
export const endsFilter = (text: string): boolean =>
  text.includes(")") && text.includes("(") && ldap.test(text) && /[*|&!=]/.test(text) && isLdap(text);

/** A filter that is written out as a whole is balanced; what breaks out of one closes a bracket first. */
const isLdap = (text: string): boolean => {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) return true;
  }
  return false;
};
