/** Smallest, middle and largest of the runs of one measurement. A budget is judged by the middle. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The value below which the share `q` (0 to 1) of the values lies; the nearest one that was measured. */
export const quantile = (values: ArrayLike<number>, q: number): number => {
  if (values.length === 0) throw new Error("bench: a quantile of nothing");
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number;
};

export const median = (values: ArrayLike<number>): number => {
  if (values.length === 0) throw new Error("bench: a median of nothing");
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
};

export const spread = (values: readonly number[]): Spread => ({
  min: Math.min(...values),
  median: median(values),
  max: Math.max(...values),
});
