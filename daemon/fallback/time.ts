const day = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{3})?Z$/;

/** Milliseconds since the epoch of a day's beginning or a time, in UTC; null where it is neither, or no day of the calendar. */
export const timeOf = (text: string): number | null => {
  if (!day.test(text) && !time.test(text)) return null;
  const at_ms = Date.parse(text);
  return Number.isNaN(at_ms) || !new Date(at_ms).toISOString().startsWith(text.slice(0, 19).replace("Z", ""))
    ? null
    : at_ms;
};
