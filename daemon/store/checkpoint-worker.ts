import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { checkpointer } from "./sqlite/checkpoint.ts";
import { findStateDirectory } from "./state-directory.ts";

/** A thread that waits for the disk, so that neither the engine nor the watchdog does. Any message is the last one. */
const stop = checkpointer(findStateDirectory(workerData as string));
const port = parentPort as MessagePort;
port.once("message", () => {
  stop();
  port.close();
});
