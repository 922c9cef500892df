const longestShown = 64;
const printable = /^[\x20-\x7e]{1,64}$/;

/**
 * A key's name as a message may show it. Names are the peer's to choose, so what could break a line or fill a log is
 * replaced by its length.
 */
export const printableName = (name: string): string =>
  name.length <= longestShown && printable.test(name) ? name : `<${name.length} characters>`;

const namesShown = 8;

/** Sorted, `, ` between; at most eight names, then how many more. */
export const printableNames = (names: readonly string[]): string => {
  const sorted = [...names].sort();
  const shown = sorted.slice(0, namesShown).map(printableName).join(", ");
  return sorted.length > namesShown ? `${shown} and ${sorted.length - namesShown} more` : shown;
};
