import type { Signal, SignalClass } from "./signal.ts";

/** Signs that stand together, and how sure they make one. */
export interface Suspicion {
  readonly class: SignalClass;
  readonly start: number;
  readonly end: number;
  /** From 0 to 1. */
  readonly score: number;
  readonly classes: readonly SignalClass[];
}

/** Signs with more characters between them are of different places. */
const together = 400;

/** Groups signs by where they stand and weighs each group; the surest of each class counts. */
export const suspicionsOf = (signals: readonly Signal[]): readonly Suspicion[] => {
  const sorted = [...signals].sort((a, b) => a.start - b.start);
  const groups: Signal[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const signal of sorted) {
    const last = groups.at(-1);
    if (last === undefined || signal.start - end > together) {
      groups.push([signal]);
      end = signal.end;
    } else {
      last.push(signal);
      end = Math.max(end, signal.end);
    }
  }
  return groups.map(suspicion);
};

const suspicion = (signals: readonly Signal[]): Suspicion => {
  const best = new Map<SignalClass, Signal>();
  for (const signal of signals) {
    const before = best.get(signal.class);
    if (before === undefined || before.weight < signal.weight) best.set(signal.class, signal);
  }
  const ranked = [...best.values()].sort((a, b) => b.weight - a.weight);
  const doubt = ranked.reduce((left, { weight }) => left * (1 - weight), 1);
  // What counts for little is not what has to be taken out.
  const counted = signals.filter(({ weight }) => weight >= ranked[0]!.weight / 4);
  return {
    class: ranked[0]!.class,
    start: Math.min(...counted.map(({ start }) => start)),
    end: Math.max(...counted.map(({ end }) => end)),
    score: 1 - doubt,
    classes: ranked.map((signal) => signal.class),
  };
};
