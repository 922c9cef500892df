import { execFileSync } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openLogMover } from "../store/sqlite/log-mover.ts";
import { openReceiptReader } from "../store/sqlite/read-receipts.ts";
import { moduleAt, runModule } from "../store/sqlite/test-processes.ts";
import type { StateDirectory } from "../store/state-directory.ts";
import { parseReceipt } from "./parse-receipt.ts";
import { decision } from "./test-records.ts";
import { openAt, temporaryState } from "./test-state.ts";
import { verifyChain } from "./test-verify-chain.ts";

const appender = moduleAt(new URL("./test-append-loop.ts", import.meta.url));

/** What the chain holds, by sequence number; fails where it does not verify. */
const requestsIn = (state: StateDirectory): Map<number, string> => {
  const reader = openReceiptReader(state);
  const rows = [...reader.rows(1, Number.MAX_SAFE_INTEGER)];
  const verified = verifyChain(reader.chain, rows, null, () => {});
  reader.close();
  expect(verified).toMatchObject({ whole: true, receipts: rows.length });
  return new Map(
    rows.map(({ seq, receipt }) => {
      const parsed = parseReceipt(receipt);
      return [seq, parsed?.kind === "decision" ? parsed.request : ""];
    }),
  );
};

test.each([
  ["process", 15, 100],
  // Each append waits for the disk, and disks differ: what matters is that every round had some.
  ["power", 5, 5],
])(
  "durability %s: whatever was acknowledged exists after a kill at any moment, and the chain goes on",
  async (durability, rounds, atLeast) => {
    const state = temporaryState();
    const acknowledged = new Map<number, string>();
    for (let round = 0; round < rounds; round++) {
      const child = runModule(appender, [state.path, durability]);
      let killing: Promise<void> | null = null;
      for await (const line of child.lines) {
        const [seq, request] = line.split(" ");
        if (request !== undefined) acknowledged.set(Number(seq), request);
        killing ??= after(5 + Math.random() * 60).then(() => child.kill());
      }
      await killing;
      const stored = requestsIn(state);
      for (const [seq, request] of acknowledged) expect(stored.get(seq)).toBe(request);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(atLeast);
    const ledger = openAt(state);
    expect(ledger.append([decision()])).toMatchObject([{ durable: true }]);
    ledger.close();
  },
  120_000,
);

test("a file size limit stops appends like a full disk, and lifting it lets the same process go on", async () => {
  const state = temporaryState();
  // The limit is the soft one, in blocks of 512 bytes; its signal is ignored, so that writes fail as on a full disk.
  const child = runModule(appender, [state.path], "trap '' XFSZ; ulimit -S -f 1200;");
  const acknowledged = new Map<number, string>();
  let [refusals, afterwards] = [0, 0];
  for await (const line of child.lines) {
    const [seq, request] = line.split(" ");
    if (seq === "full") {
      refusals += 1;
      if (refusals === 20) execFileSync("prlimit", ["--pid", String(child.child.pid), "--fsize=unlimited:"]);
    } else if (request !== undefined) {
      acknowledged.set(Number(seq), request);
      if (refusals >= 20) afterwards += 1;
      if (afterwards === 200) await child.kill();
    }
  }
  expect(refusals).toBeGreaterThanOrEqual(20);
  expect(afterwards).toBeGreaterThanOrEqual(200);
  const stored = requestsIn(state);
  for (const [seq, request] of acknowledged) expect(stored.get(seq)).toBe(request);
}, 60_000);

test("a worker that is ended while it appends leaves a ledger that the main thread goes on with", async () => {
  const state = temporaryState();
  openAt(state).close();
  const mover = openLogMover(state);
  let stored = 0;
  for (let round = 0; round < 8; round++) {
    const worker = new Worker(
      `import("tsx/esm/api").then(({ tsImport }) => tsImport(${JSON.stringify(appender)}, "file:///"))`,
      {
        eval: true,
        argv: [state.path],
        stdout: true,
      },
    );
    await new Promise<void>((resolve) => worker.stdout.once("data", () => resolve()));
    await after(Math.random() * 30);
    await worker.terminate();
    const ledger = openAt(state);
    expect(ledger.append([decision()])).toMatchObject([{ durable: true }]);
    mover.run();
    ledger.close();
    const count = requestsIn(state).size;
    expect(count).toBeGreaterThan(stored);
    stored = count;
  }
  mover.close();
}, 60_000);
