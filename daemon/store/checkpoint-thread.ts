import { Worker } from "node:worker_threads";

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
  let thread: Worker;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const begin = (): void => {
    thread = new Worker(worker, {
      workerData: state,
      // It keeps a handful of objects; Node's own choice is for programs.
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
      stderr: true,
    });
    // `exit` follows.
    thread.on("error", () => undefined);
    thread.once("exit", () => {
      if (!stopping) timer = setTimeout(begin, restartAfter_ms).unref();
    });
    thread.unref();
  };
  begin();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        thread.once("exit", () => resolve());
        const late = setTimeout(resolve, stopWithin_ms);
        thread.once("exit", () => clearTimeout(late));
        if (thread.threadId === -1) resolve();
        else thread.postMessage("stop");
      });
      await thread.terminate();
    },
  };
};
