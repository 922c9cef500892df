/**
 * Milliseconds of processor time that something takes, the least of three runs: what a busy machine does beside it does not count.
 */
export const cost_ms = async (run: () => unknown): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3; turn++) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
};
