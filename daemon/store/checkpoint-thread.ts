import { Worker } from "node:worker_threads";

/** A start is not slowed by a thread that has nothing to do yet. */
const beginAfter_ms = 1_000;
const restartAfter_ms = 1_000;
const stopWithin_ms = 5_000;

/** Checkpoints of the ledger's database, made in a thread of their own. */
export interface Checkpoints {
  /** Makes the last one; resolves when the thread is gone. */
  stop(): Promise<void>;
}

/**
 * A checkpoint waits for the disk, on a slow one for seconds: the watchdog's thread must not. A thread that ends (its
 * database is away for the moment) is begun again; receipts wait in the log meanwhile, as durable there.
 */
export const beginCheckpoints = (worker: URL, state: string): Checkpoints => {
  let thread: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const begin = (): void => {
    const begun = new Worker(worker, {
      workerData: state,
      // It keeps a handful of objects; Node's own choice is for programs.
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
      stderr: true,
    });
    // `exit` follows.
    begun.on("error", () => undefined);
    begun.once("exit", () => {
      thread = null;
      if (!stopping) timer = setTimeout(begin, restartAfter_ms).unref();
    });
    begun.unref();
    thread = begun;
  };
  timer = setTimeout(begin, beginAfter_ms).unref();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      // Without a thread there is nothing to wait for: whoever closes the database last empties its log.
      const last = thread;
      if (last === null) return;
      await new Promise<void>((resolve) => {
        // What is waited for holds the process: it would end before whoever stops it has done the rest.
        last.ref();
        const late = setTimeout(resolve, stopWithin_ms);
        last.once("exit", () => {
          clearTimeout(late);
          resolve();
        });
        last.postMessage("stop");
      });
      await last.terminate();
    },
  };
};
