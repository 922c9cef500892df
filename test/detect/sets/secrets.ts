import { linesSet } from "../corpus.ts";

/** Tokens, keys and passwords in calls and results, encoded and split, and what looks like them. */
export const secretsSet = linesSet("secrets", { recall: 0.97, falsePositiveRate: 0.01 });
/** Numbers of cards, accounts and people, and the numbers that are none. */
export const piiSet = linesSet("pii", { recall: 0.97, falsePositiveRate: 0.01 });
