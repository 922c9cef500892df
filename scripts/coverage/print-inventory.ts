// Prints every export of the Node that runs it, in the main thread of a child process and in a worker thread.
import { open } from "node:fs/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import {
  builtins,
  type Export,
  exportsOf,
  globals,
  membersOf,
} from "../../client-node/intercept/coverage/inventory.ts";

/** A thread lacks some of what its process has. */
const inThread = (name: string): readonly Export[] => {
  try {
    return exportsOf(name);
  } catch {
    return [];
  }
};

const handle = await open("/dev/null");
const own: Export[] = [
  ...builtins().flatMap(isMainThread ? exportsOf : inThread),
  ...globals(),
  ...membersOf(Object.getPrototypeOf(handle) as object, "fs.promises.FileHandle.prototype"),
];
await handle.close();

if (!isMainThread) {
  parentPort?.postMessage(own);
} else {
  new Worker(new URL(import.meta.url)).once("message", (others: Export[]) => {
    process.stdout.write(JSON.stringify([...own, ...others]));
    process.disconnect();
  });
}
