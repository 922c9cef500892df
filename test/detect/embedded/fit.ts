/** What a segment looks like and whether it is an attacker's. */
export interface Example {
  readonly features: readonly number[];
  readonly isTask: boolean;
  readonly weight: number;
}

/**
 * Logistic regression by full gradient steps with momentum: the same examples give the same numbers. The first feature is the
 * constant one and is not drawn to zero.
 */
export const fitted = (examples: readonly Example[], pull = 0.004, steps = 800): readonly number[] => {
  const size = examples[0]?.features.length ?? 0;
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(size);
  const speed = new Float64Array(size);
  for (let step = 0; step < steps; step++) {
    const slope = new Float64Array(size);
    for (const { features, isTask, weight } of examples) {
      let sum = 0;
      for (let at = 0; at < size; at++) sum += (weights[at] as number) * (features[at] as number);
      const error = (weight * (1 / (1 + Math.exp(-sum)) - (isTask ? 1 : 0))) / total;
      for (let at = 0; at < size; at++) slope[at] = (slope[at] as number) + error * (features[at] as number);
    }
    for (let at = 0; at < size; at++) {
      const drawn = at === 0 ? 0 : pull * (weights[at] as number);
      speed[at] = 0.9 * (speed[at] as number) - 0.5 * ((slope[at] as number) + drawn);
      weights[at] = (weights[at] as number) + (speed[at] as number);
    }
  }
  return [...weights];
};
