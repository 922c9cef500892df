import { openStateDirectory } from "../store/state-directory.ts";
import { openLedger } from "./open.ts";
import { decision } from "./test-records.ts";

/** For tests: appends without a pause until it is killed. */
const directory = openStateDirectory(process.argv[2] ?? "");
const ledger = openLedger(directory, { durability: "process", expectChain: null, now_ms: Date.now() });
console.log("appending");
setTimeout(() => {
  for (;;) {
    const [result] = ledger.append([decision()]);
    if (!result?.durable) throw new Error(result?.error);
  }
}, 50);
