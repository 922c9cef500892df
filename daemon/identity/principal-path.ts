/**
 * A principal that others may act below is a path: `acme/payments/agent42`. `acme/pay` is not above `acme/payments`, and a
 * segment that is empty, `.` or `..` is below nothing: to another reader it would be another place.
 */
export const isAtOrBelow = (principal: string, above: string): boolean => {
  if (principal === above) return true;
  if (!principal.startsWith(above) || principal[above.length] !== "/") return false;
  return principal
    .slice(above.length + 1)
    .split("/")
    .every(isSegment);
};

const isSegment = (segment: string): boolean => segment !== "" && segment !== "." && segment !== "..";

/** What a token or the configuration may bind a connection to: whole segments, and no control character. At most 512 bytes. */
export const isBindable = (principal: string): boolean =>
  principal !== "" &&
  Buffer.byteLength(principal) <= maxBoundPrincipalBytes &&
  principal.isWellFormed() &&
  !/\p{Cc}/u.test(principal) &&
  principal.split("/").every(isSegment);

/** Half of what an event may name, so that there is room below it. */
export const maxBoundPrincipalBytes = 512;
