/**
 * Milliseconds of processor time that something takes, the least of three runs: what a busy machine does beside it does not count.
 * `run` is told which run it is, from 0: who remembers texts is given another one each time.
 */
export const cost_ms = async (run: (turn: number) => unknown): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3; turn++) {
    const before = process.cpuUsage();
    await run(turn);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};
