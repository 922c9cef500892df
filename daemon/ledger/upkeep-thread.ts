import { Worker } from "node:worker_threads";
import type { ReceiptPlace } from "../store/receipt-reader.ts";
import type { SigningState } from "./checkpoints/sign-now-and-then.ts";
import type { CheckpointPace } from "./checkpoints/signer.ts";

/** A start is not slowed by a thread that has nothing to do yet. */
const beginAfter_ms = 1_000;
const restartAfter_ms = 1_000;
const stopWithin_ms = 5_000;

export interface UpkeepStart {
  readonly place: ReceiptPlace;
  readonly pace: CheckpointPace;
}

export interface FromUpkeep {
  readonly unsigned: SigningState;
}

/** What is done for the ledger in a thread of its own: checkpoints of the chain, and the database's log moved. */
export interface Upkeep {
  /** Does both once more; resolves when the thread is gone. */
  stop(): Promise<void>;
}

/**
 * Upkeep waits for the disk, on a slow one for seconds: the watchdog's thread must not. A thread that ends (its database
 * is away for the moment) is begun again; receipts are as durable meanwhile, and unsigned.
 *
 * @param onSigning told when checkpoints cannot be made, and when they can be again
 */
export const beginUpkeep = (worker: URL, start: UpkeepStart, onSigning: (state: SigningState) => void): Upkeep => {
  let thread: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | null = null;
  const begin = (): Worker => {
    const begun = new Worker(worker, {
      workerData: start,
      // It keeps a handful of objects; Node's own choice is for programs.
      resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 },
      stderr: true,
    });
    begun.on("message", ({ unsigned }: FromUpkeep) => onSigning(unsigned));
    // `exit` follows.
    begun.on("error", () => undefined);
    begun.once("exit", () => {
      thread = null;
      if (stopped === null) timer = setTimeout(begin, restartAfter_ms).unref();
    });
    begun.unref();
    thread = begun;
    return begun;
  };
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    // A daemon that stops before its first second has receipts to sign all the same.
    const last = thread ?? begin();
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
  };
  timer = setTimeout(begin, beginAfter_ms).unref();
  return {
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
};
