// Tries every form of a group once it is told that the daemon is dead, and says how each ended; or ends in the way it is told.
import { later, now } from "./forms.mjs";

const [, , group, stage] = process.argv;
const at = JSON.parse(stage);

const ways = {
  "the end": () => undefined,
  "process.exit": () => process.exit(7),
  "an uncaught error": () => {
    throw new RangeError("on purpose");
  },
  "a rejection": () => {
    void Promise.reject(new RangeError("on purpose"));
  },
  "an exit code": () => {
    process.exitCode = 8;
  },
};

const told = (error) =>
  [error?.name, error?.code, error?.cause?.name, error?.errors?.[0]?.name].filter(Boolean).join(" ");

/** How it ended, and after how long. */
const outcome = async (step) => {
  const from_ms = performance.now();
  let result;
  let sync_ms = 0;
  try {
    const running = step(at);
    sync_ms = performance.now() - from_ms;
    result = String((await running) ?? "it ran");
  } catch (error) {
    sync_ms ||= performance.now() - from_ms;
    result = told(error);
  }
  return { result, sync_ms, all_ms: performance.now() - from_ms };
};

process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  process.stdin.destroy();
  if (group in ways) return ways[group]();
  const said = {};
  for (const [name, step] of Object.entries(now[group])) said[name] = await outcome(step);
  const entries = Object.entries(later[group]).map(async ([name, step]) => [name, await outcome(step)]);
  Object.assign(said, Object.fromEntries(await Promise.all(entries)));
  process.stdout.write(`${JSON.stringify(said)}\n`);
});
