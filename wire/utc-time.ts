/**
 * RFC 3339 in UTC with whole seconds, and a day that there is: the form in which rule sets, scope documents and key documents
 * sign a time. (A fallback policy signs milliseconds: fallback/timestamp.ts.)
 */
export const isTime = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  // A 30th of February is read as the 2nd of March.
  timeText(Date.parse(value)) === value;

/** Milliseconds since the epoch of a time's text; null where it is none. */
export const timeText_ms = (value: unknown): number | null => (isTime(value) ? Date.parse(value) : null);

/** The text of a time; what is below a second is cut off. */
export const timeText = (time_ms: number): string => `${new Date(time_ms).toISOString().slice(0, 19)}Z`;
