import { acquireLock } from "./lock.ts";

/** For lock.test.ts: a process that takes a lock, says whether it got it, and stays. */
const lock = acquireLock(process.argv[2] ?? "");
console.log(lock === null ? "taken" : "held");
setInterval(() => {}, 1_000);
