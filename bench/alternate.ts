/**
 * Runs one block of every contender, then again, `runs` times; every other run in the reverse order, so that neither
 * always follows the other. A noise that lasts longer than a block meets all of them.
 */
export const alternate = async <T>(
  runs: number,
  contenders: readonly (() => Promise<T>)[],
  onRun: (run: number) => void,
): Promise<readonly (readonly T[])[]> => {
  const results: T[][] = contenders.map(() => []);
  for (let run = 0; run < runs; run += 1) {
    onRun(run);
    const order = contenders.map((_, at) => (run % 2 === 0 ? at : contenders.length - 1 - at));
    for (const at of order) {
      const contender = contenders[at] as () => Promise<T>;
      (results[at] as T[]).push(await contender());
    }
  }
  return results;
};
