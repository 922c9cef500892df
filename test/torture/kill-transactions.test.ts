import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BlockedError, enforceToolCall, RemoteEngine, ReplayedError } from "../../client-node/index.ts";
import { askOperators } from "../../daemon/operator/ask-operators.ts";
import { readTokenFile } from "../../daemon/operator/token-files.ts";
import type { TransactionView } from "../../daemon/operator/transaction-service.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { type Running, start, until } from "../kit/processes.ts";
import { refundModule } from "../kit/refunds.ts";
import { report } from "./kit/figures.ts";
import { payingClient } from "./kit/paying-client.ts";
import { Seeded, seedFrom } from "./kit/seed.ts";

/** INTERLOCK_KILL_SEED replays the kills' moments. */
const kills = Number(process.env.INTERLOCK_TRANSACTION_KILLS ?? 25);
const lease_ms = 2_000;

/** An operator who says yes to everything, as often as there is a daemon to say it to; tells how many yeses were heard. */
const operatorOf = (place: Place): (() => Promise<number>) => {
  const token = readTokenFile(join(place.home, "operators"), "olga");
  const seat = { socket: join(place.state, "operator.sock"), token };
  let isOver = false;
  let heard = 0;
  const votes = (async () => {
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      try {
        const { approvals } = await askOperators(seat, "approvals.list", { status: "pending", limit: 10 });
        for (const { approval_id } of approvals as unknown as readonly { approval_id: string }[]) {
          const terms = { scope: { kind: "once" }, until_s: null, note: null };
          await askOperators(seat, "approvals.grant", { approval_id, ...terms });
          heard++;
        }
      } catch (error) {
        // A daemon that is dead, or dies in the middle of a vote; or somebody's request is over by now.
        if (!(error instanceof Error)) throw error;
      }
    }
  })();
  return async () => {
    isOver = true;
    await votes;
    return heard;
  };
};

test("kill -9 of the daemon and of clients at any moment of submit and resume: a call runs once at most, and what nobody knows is unknown", async () => {
  const seed = seedFrom("INTERLOCK_KILL_SEED");
  const from = new Seeded(seed);
  const place = await makePlace(refundModule({ more: `lease_s: ${lease_ms / 1000},` }), "unknown: block\n");
  let daemon = await startDaemon(place);
  expect((await interlock(place, ["operators", "add", "olga"])).code).toBe(0);
  const stopVoting = operatorOf(place);
  const [effects, approvals] = [join(place.home, "effects"), join(place.home, "approvals")];
  const program = fileURLToPath(payingClient());
  const client = (): Running =>
    start(program, [place.socket, effects, approvals, `${from.below(1_000_000)}`], { env: place.env });
  const clients = [client(), client()];
  const counts = { daemon: 0, client: 0 };
  for (let kill = 0; kill < kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 150 + from.below(500)));
    expect(clients.filter((running) => !running.isAlive()).map((running) => running.stderr())).toEqual([]);
    if (from.chance(0.6)) {
      counts.daemon++;
      await daemon.kill();
      daemon = await startDaemon(place);
    } else {
      counts.client++;
      const which = from.below(2);
      clients[which]?.child.kill("SIGKILL");
      await clients[which]?.ended;
      clients[which] = client();
    }
  }
  await until("a call that an operator approved has run", () => effectsIn(effects).some(({ amount }) => amount > 900));
  for (const running of clients) running.child.kill("SIGKILL");
  await Promise.all(clients.map(({ ended }) => ended));
  const votes = await stopVoting();
  const transactions = async (): Promise<readonly TransactionView[]> => {
    const { code, stdout, stderr } = await interlock(place, ["transactions", "list", "--limit", "500", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    return (JSON.parse(stdout) as { transactions: TransactionView[] }).transactions;
  };
  await new Promise((resolve) => setTimeout(resolve, lease_ms));
  await until("no call is under way", async () =>
    (await transactions()).every(({ status }) => status !== "authorized"),
  );
  const rows = await transactions();
  const ran = effectsIn(effects);
  const statuses = rows.map(({ status }) => status);
  report(
    `${counts.daemon} kills of the daemon and ${counts.client} of a client: ${ran.length} effects, ${votes} grants; ` +
      ["executed", "failed", "unknown", "pending_approval"]
        .map((status) => `${statuses.filter((other) => other === status).length} ${status}`)
        .join(", "),
  );
  // Once at most, whatever was killed.
  const amounts = ran.map(({ amount }) => amount);
  expect(amounts.length).toBe(new Set(amounts).size);
  expect(amounts.length).toBeGreaterThan(20);
  for (const { callId } of ran) {
    const of = rows.filter(({ call_id, status }) => call_id === callId && status !== "pending_approval");
    expect(of.map(({ status }) => status)).toEqual([expect.stringMatching(/^(executed|unknown)$/)]);
  }
  // A grant let one call run, whoever resumed it and however often.
  const by = rows.filter(({ approval_id, status }) => approval_id !== null && status !== "pending_approval");
  const used = by.map(({ approval_id }) => approval_id);
  expect(used.length).toBe(new Set(used).size);
  // Whoever comes again is told what is known.
  const engine = new RemoteEngine(place.socket, { timeout: 20, principal: "agent" });
  const order = { order_id: "o2", customer_id: "c2", note: "n", request_id: "r" };
  for (const { amount, callId } of ran) {
    const error = await enforceToolCall("refund", { ...order, amount }, { engine, principal: "agent" }).catch(
      (reason: unknown) => reason,
    );
    if (!(error instanceof BlockedError)) throw new Error(`a repeat of ${amount} may run`);
    const wasExecuted = rows.some(({ call_id, status }) => call_id === callId && status === "executed");
    expect(error.decision.details?.code).toBe(wasExecuted ? "replayed" : "outcome_unknown");
    if (error instanceof ReplayedError) expect(error.result).toEqual({ paid: amount });
  }
  await engine.close();
  expect((await daemon.stop()).code).toBe(0);
  // The chain is whole, and each transaction that ran has one receipt that let it.
  const receipts = await receiptsOf(place);
  for (const { transaction_id, status } of rows.filter(({ status }) => lived.includes(status))) {
    const let_it = receipts.filter(
      (receipt) =>
        receipt.transaction_id === transaction_id && receipt.phase === "call" && mayRun.includes(`${receipt.verdict}`),
    );
    expect([status, let_it.length]).toEqual([status, 1]);
  }
}, 240_000);

const lived = ["executed", "failed", "unknown"];
const mayRun = ["ALLOW", "MODIFY"];

const effectsIn = (path: string): readonly { readonly amount: number; readonly callId: string }[] =>
  existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [amount, callId = ""] = line.split(" ");
          return { amount: Number(amount), callId };
        })
    : [];
