import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { embeddedStore } from "../store/postgres/address.ts";
import { moveLogNowAndThen } from "../store/sqlite/log-mover.ts";
import { findStateDirectory } from "../store/state-directory.ts";
import { signNowAndThen } from "./checkpoints/sign-now-and-then.ts";
import type { FromUpkeep, UpkeepStart } from "./upkeep-thread.ts";

/**
 * A thread that waits for the disk and hashes, so that neither the engine nor the watchdog does. Any message is the last
 * one: then the chain's last checkpoint is made, and the log is emptied behind it.
 */
const { place, pace } = workerData as UpkeepStart;
const port = parentPort as MessagePort;
const stopMoving = place.store === embeddedStore ? moveLogNowAndThen(findStateDirectory(place.state)) : () => undefined;
const signing = signNowAndThen(place, pace, (unsigned) => port.postMessage({ unsigned } satisfies FromUpkeep));
port.once("message", async () => {
  await signing.stop();
  stopMoving();
  port.close();
});
