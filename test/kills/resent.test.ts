import { expect, test } from "vitest";
import { shortDirectory } from "../kit/place.ts";
import { SimTime } from "../simulation/sim-time.ts";
import { Seeded } from "../torture/kit/seed.ts";
import { ClientLife } from "./client-life.ts";
import { DaemonLife } from "./daemon-life.ts";
import { Fuse } from "./fuse.ts";
import { killRules, lease_ms } from "./rules.ts";
import { SqliteStore } from "./sqlite-store.ts";

test("an answer that was lost is not given again once its call counts as failed: another runs in its place by then", async () => {
  const fuse = new Fuse();
  const time = new SimTime(1_760_000_000_000);
  const store = new SqliteStore(shortDirectory(), "resent");
  const mortality = { fuse, from: new Seeded(1), rules: killRules(false, null, 0) };
  const told: string[] = [];
  const client = (name: string): ClientLife =>
    new ClientLife(name.padEnd(24, "-"), ({ decision }) => told.push(`${name}: ${decision.details?.code}`));
  const call = { args: { customer_id: "c1", amount: 1 }, effects: 0 };
  const daemon = await DaemonLife.start(store, mortality, time);
  const asked_ms = time.now_ms();
  const [first, second] = [client("first"), client("second")];
  first.connect(daemon, asked_ms);
  first.ask(call, "call-1", asked_ms);
  // Its connection is lost before the answer.
  first.lose();
  await daemon.flush();
  time.pass(lease_ms);
  await daemon.recover(mortality.rules.digest, time.now_ms());
  const [unknown] = await daemon.ledger.reads.listTransactions({ status: "unknown", limit: 1 });
  await daemon.transactions.resolve({ name: "olga", roles: [] }, unknown?.transaction_id ?? "", "failed");
  second.connect(daemon, time.now_ms());
  second.ask(call, "call-2", time.now_ms());
  await daemon.flush();
  expect(told).toEqual(["second: allowed"]);
  first.connect(daemon, asked_ms);
  await daemon.flush();
  await store.end();
  expect(told).toEqual(["second: allowed", "first: in_flight"]);
});
