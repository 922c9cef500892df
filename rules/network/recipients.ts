import addresses from "email-addresses";

/** The domains that a line of recipients names, lower case; null where it is no such line (RFC 5322), and nobody can tell who gets the mail. */
export const recipientsIn = (line: string): readonly string[] | null => {
  if (line.length > maxLineCharacters) return null;
  const parsed = addresses.parseAddressList({ input: line.trim(), rfc6532: true, rejectTLD: false });
  if (parsed === null || parsed === undefined) return null;
  return parsed
    .flatMap((one) => (one.type === "group" ? one.addresses : [one]))
    .map(({ address }) => address.toLowerCase());
};

/** Some 500 recipients. */
const maxLineCharacters = 32_768;
