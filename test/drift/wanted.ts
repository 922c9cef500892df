/** What the measured set has to reach as a whole. */
export const wanted = Object.freeze({ recall: 0.95, falsePositiveRate: 0.05 });
