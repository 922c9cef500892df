import type { Results } from "./tap.ts";

/** One process of a suite: what it said without the guard, and in each try with it. */
export interface Run {
  readonly plain: Results;
  readonly guarded: readonly Results[];
}

export interface Counts {
  readonly tests: number;
  readonly passed_plain: number;
  readonly passed_guarded: number;
  /** Pass without the guard, and in none of the tries with it; or did not run with it. */
  readonly only_guarded: readonly string[];
}

/** A test that passed in one try with the guard passes with it: what is left has failed in each. */
export const onlyGuarded = ({ plain, guarded }: Run): readonly string[] =>
  [...plain].flatMap(([name, passed]) => (passed && !guarded.some((results) => results.get(name)) ? [name] : []));

export const countsOf = (runs: readonly Run[]): Counts => {
  const counted = (holds: (run: Run, name: string) => boolean): number =>
    runs.reduce((sum, run) => sum + [...run.plain.keys()].filter((name) => holds(run, name)).length, 0);
  return {
    tests: counted(() => true),
    passed_plain: counted(({ plain }, name) => plain.get(name) === true),
    passed_guarded: counted(({ guarded }, name) => guarded.some((results) => results.get(name))),
    only_guarded: runs.flatMap(onlyGuarded),
  };
};
