const second_ms = 1000;
const minute_ms = 60 * second_ms;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

/** `45 s`, `12 min`, `30 h`, `5 d`: rounded down, so that nobody counts on more than there is. */
export const spanText = (span_ms: number): string => {
  const span = Math.max(0, span_ms);
  if (span < 2 * minute_ms) return `${Math.floor(span / second_ms)} s`;
  if (span < 2 * hour_ms) return `${Math.floor(span / minute_ms)} min`;
  if (span < 2 * day_ms) return `${Math.floor(span / hour_ms)} h`;
  return `${Math.floor(span / day_ms)} d`;
};

export const isoText = (time_ms: number): string => new Date(time_ms).toISOString();
