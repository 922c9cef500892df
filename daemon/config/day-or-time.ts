const form = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3})?Z)?$/;

/**
 * When somebody means who writes a day (its beginning) or a time, both in UTC: milliseconds since the epoch. Null where it is
 * neither, or no day of the calendar.
 */
export const dayOrTime_ms = (text: string): number | null => {
  const at_ms = form.test(text) ? Date.parse(text) : Number.NaN;
  // A 30th of February is read as the 2nd of March.
  const isAsWritten =
    !Number.isNaN(at_ms) && new Date(at_ms).toISOString().startsWith(text.replace(/(?:\.[0-9]{3})?Z$/, ""));
  return isAsWritten ? at_ms : null;
};
