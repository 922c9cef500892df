import { join } from "node:path";
import Database from "better-sqlite3";
import { refund } from "../scenarios/arguments.ts";
import { withAgent } from "../stage/agent.ts";
import { onStage, type Stage } from "../stage/stage.ts";
import { falseBlocks } from "./false-blocks.ts";
import type { ExtraSet } from "./set.ts";

const calls = 20;
const held_ms = 500;

/** Nobody but who asked writes to the database until the returned function is called. */
const hold = ({ state }: Stage): (() => void) => {
  const db = new Database(join(state, "ledger.db"));
  db.exec("BEGIN IMMEDIATE");
  return () => {
    db.exec("ROLLBACK");
    db.close();
  };
};

/** Puts calls while the database is held, kills the daemon, and puts them again; how many ran twice. */
const ranTwice = (stage: Stage): Promise<number> =>
  withAgent(stage, async (agent) => {
    const putAll = (): Promise<unknown> =>
      Promise.all(Array.from({ length: calls }, (_, n) => agent.put("refund_invoice", refund("HD", n + 1, 50))));
    const release = hold(stage);
    const first = putAll();
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, held_ms))]);
    await stage.kill();
    release();
    await stage.start();
    await first;
    await putAll();
    await stage.mustInterlock("receipts", "verify");
    const invoices = agent.ran.map(({ args }) => args.invoice);
    return invoices.length - new Set(invoices).size;
  });

/** A database that takes nothing: what runs all the same is recorded beside it, so that it is known after `kill -9`. */
export const auditStoreHeld: ExtraSet = {
  name: "audit_store_held",
  run: async () => ({
    counted: "second executions",
    baseline: await onStage("no-idempotency", ranTwice),
    ...(await onStage("every-gate", async (stage) => ({
      treatment: await ranTwice(stage),
      ...(await falseBlocks(stage)),
    }))),
    wanted: 0,
    total: calls,
  }),
};
