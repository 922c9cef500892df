import { randomInt } from "node:crypto";

/** A generator that a seed replays: mulberry32, which passes what a fuzzer needs and is four lines. */
export class Seeded {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.word() / 0x1_0000_0000) * bound);
  }

  chance(of: number): boolean {
    return this.below(1000) < of * 1000;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }
}

/** The seed in the environment variable, so that a failure is replayed; else a new one. Either is printed. */
export const seedFrom = (variable: string): number => {
  const given = process.env[variable];
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`${variable} must be a whole number`);
  process.stderr.write(`${variable}=${seed}\n`);
  return seed;
};
