/** Milliseconds since the epoch of `2027-01-31T12:00:00.000Z`, that form alone; null where it is none, or no day of the calendar. */
export const parseTimestamp = (text: unknown): number | null => {
  if (typeof text !== "string" || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/.test(text)) {
    return null;
  }
  const at_ms = Date.parse(text);
  // A 30th of February is read as the 1st of March by some.
  return Number.isNaN(at_ms) || new Date(at_ms).toISOString() !== text ? null : at_ms;
};
