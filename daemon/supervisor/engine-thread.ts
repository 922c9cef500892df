import { Worker } from "node:worker_threads";

/** What a rule may take of the machine before its engine is ended: many whole frames in judgement fit beside it. */
const engineHeap_MiB = 1024;
/** Half of Node's own choice: measured, it costs no time and saves a dozen MiB. */
const engineNursery_MiB = 24;

/**
 * The engine's thread, which waits to be told what to serve (`EngineStart`, its first message). It loads its code
 * meanwhile: a start begins it first and does its own checks beside it.
 */
export const beginEngineThread = (engine: URL): Worker =>
  new Worker(engine, {
    resourceLimits: { maxOldGenerationSizeMb: engineHeap_MiB, maxYoungGenerationSizeMb: engineNursery_MiB },
  });

/** Where the engine's code is, and a thread that was begun with it for the first start. */
export interface Engine {
  readonly url: URL;
  readonly first: Worker;
}
