import { StoreFailed } from "../store/refused.ts";
import { openLogMover } from "../store/sqlite/log-mover.ts";
import type { Durability } from "../store/sqlite/receipt-store.ts";
import { openStateDirectory } from "../store/state-directory.ts";
import { openLedger } from "./open.ts";
import { decision } from "./test-records.ts";

/**
 * For tests: appends groups of one to five until it is killed, and prints what was acknowledged: `seq request`. A line
 * `full` where the ledger refused. Moves the log now and then, so that a kill also meets that.
 */
const [, , path = "", durability = "process"] = process.argv;
const directory = openStateDirectory(path);
const ledger = openLedger(directory, { durability: durability as Durability, expectChain: null, now_ms: Date.now() });
const mover = openLogMover(directory);
let asked = 0;

const turn = (): void => {
  for (let group = 0; group < 20; group++) {
    const records = Array.from({ length: 1 + (asked % 5) }, () =>
      decision({ request: `${process.pid}-${asked++}`, keep: "k" }),
    );
    const results = ledger.append(records);
    const lines = results.map((r, at) => (r.durable ? `${r.seq} ${records[at]?.request}` : `full ${r.error}`));
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  try {
    mover.run();
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error;
  }
  setTimeout(turn, 1);
};
turn();
