/** RFC 3339 in UTC with whole seconds, and a day that there is: the only form in which a time is signed. */
export const isTime = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  timeText(Date.parse(value)) === value;

/** RFC 3339 in UTC with whole seconds. */
export const timeText = (time_ms: number): string => `${new Date(time_ms).toISOString().slice(0, 19)}Z`;
