/** Calls `expired` once `delay_ms` are over, unless what this returns is called before. */
export const afterDelay = (delay_ms: number, expired: () => void): (() => void) => {
  const timer = setTimeout(expired, delay_ms);
  return () => clearTimeout(timer);
};
