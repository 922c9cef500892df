import { outputOf } from "./known-output.ts";
import type { SubstitutionNode } from "./tree.ts";
import type { Variables } from "./variables.ts";
import { type Surroundings, unknown } from "./word.ts";

/** Which of `count` possibilities is looked at now; outside of them, none is known. */
export type Pick = (key: string, count: number) => number;

/** More ways to read one command than this are not told apart. */
const maxReadings = 32;

/** Evaluates once for each combination of what is picked; too many are read as not known. */
export const eachReading = <T>(
  evaluate: (around: Surroundings) => T,
  surroundings: (pick: Pick) => Surroundings,
): readonly T[] => {
  const results: T[] = [];
  let isOne = true;
  for (let turn = 0; turn < maxReadings; turn++) {
    let rest = turn;
    const picked = new Map<string, number>();
    const result = evaluate(
      surroundings((key, count) => {
        const before = picked.get(key);
        if (before !== undefined) return before;
        isOne = false;
        const chosen = rest % count;
        rest = Math.floor(rest / count);
        picked.set(key, chosen);
        return chosen;
      }),
    );
    if (rest > 0) return results;
    results.push(result);
    if (isOne) return results;
  }
  // One more, in which nothing is known that could be one of several.
  return [...results, evaluate(surroundings(() => -1))];
};

/** What words are evaluated in: `reads` takes the names of variables that the script did not set. */
export const surroundingsOf = (
  variables: Variables,
  splitsAtBlanks: boolean,
  reads: string[],
  pick: Pick,
): Surroundings => {
  const around: Surroundings = {
    pick,
    splitsAtBlanks,
    variable: (name) => {
      const value = variables.get(name);
      if (value === undefined) {
        if (!reads.includes(name)) reads.push(name);
        return undefined;
      }
      return value.texts.length === 1 ? value.texts[0] : (value.texts[pick(name, value.texts.length)] ?? unknown);
    },
    output: ({ Stmts }: SubstitutionNode) => outputOf(Stmts, around)?.text ?? unknown,
  };
  return around;
};
