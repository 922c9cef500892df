import { afterEach, expect, test } from "vitest";
import { BlockedError, guardToolMap, NotApprovedError, RemoteEngine } from "../../client-node/index.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { refundModule } from "../kit/refunds.ts";
import { report } from "./kit/figures.ts";

const daemons: Daemon[] = [];
const engines: RemoteEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
});

const serving = async (module = refundModule()): Promise<Place> => {
  const place = await makePlace(module, "unknown: block\n");
  daemons.push(await startDaemon(place));
  return place;
};

const connect = (place: Place): RemoteEngine => {
  const engine = new RemoteEngine(place.socket, { timeout: 30, principal: "agent" });
  engines.push(engine);
  return engine;
};

const order = { order_id: "o2", customer_id: "c2", amount: 100, note: "n", request_id: "r" };

test("1,000 identical calls at once over 8 connections: one runs, and every other has its result or a documented block", async () => {
  const place = await serving(refundModule({ more: "idempotency: { wait_ms: 10_000 }," }));
  let ran = 0;
  const refund = async (_args: object) => {
    ran++;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { paid: order.amount };
  };
  const tools = Array.from({ length: 8 }, () => guardToolMap({ refund }, { engine: connect(place) }));
  const started_ms = performance.now();
  const ends = await Promise.all(
    Array.from({ length: 1_000 }, async (_, at) => {
      try {
        return JSON.stringify(await tools[at % 8]?.refund(order));
      } catch (error) {
        if (!(error instanceof BlockedError)) throw error;
        return error.decision.details?.code ?? "none";
      }
    }),
  );
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  report(`1,000 at once in ${(performance.now() - started_ms).toFixed(0)} ms: ${JSON.stringify([...counts])}`);
  expect(ran).toBe(1);
  expect([...counts.keys()].filter((end) => end !== '{"paid":100}' && end !== "in_flight")).toEqual([]);
  expect(counts.get('{"paid":100}') ?? 0).toBeGreaterThan(900);
  const calls = (await receiptsOf(place)).filter(({ phase }) => phase === "call");
  expect(calls).toHaveLength(1_000);
  expect(calls.filter(({ verdict }) => verdict === "ALLOW")).toHaveLength(1);
  expect(new Set(calls.map(({ transaction_id }) => transaction_id)).size).toBe(1);
}, 120_000);

test("two resumes at once of one grant: one runs, and the other has its result", async () => {
  const place = await serving(refundModule({ more: "idempotency: { wait_ms: 10_000 }," }));
  expect((await interlock(place, ["operators", "add", "olga"])).code).toBe(0);
  const large = { ...order, amount: 900 };
  const [one, other] = [connect(place), connect(place)];
  const asked = await guardToolMap({ refund: async (_args: object) => "never" }, { engine: one })
    .refund(large)
    .catch((error: unknown) => error);
  if (!(asked instanceof NotApprovedError)) throw asked;
  const approvalId = asked.approvalId as string;
  const callId = asked.callId as string;
  expect((await interlock(place, ["approvals", "grant", approvalId])).code).toBe(0);
  const answers = await Promise.all([one, other].map((engine) => runOnce(engine, approvalId, callId)));
  const runs = answers.filter(({ ran }) => ran);
  expect(runs).toHaveLength(1);
  expect(answers.filter(({ ran }) => !ran)).toEqual([{ ran: false, code: "replayed", result: { paid: 900 } }]);
  const used = await interlock(place, ["approvals", "show", approvalId, "--json"]);
  expect(JSON.parse(used.stdout)).toMatchObject({ approval: { status: "used" } });
}, 60_000);

/** Resumes; where it may run, it runs for a moment and puts its result. Asks again while another is running it. */
const runOnce = async (engine: RemoteEngine, approvalId: string, callId: string) => {
  for (;;) {
    const decision = await engine.resume(approvalId, { callId });
    if (decision.verdictName === "MODIFY") {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const result = { action: "refund", args: { paid: 900 }, phase: "result" as const, call_id: callId };
      await engine.evaluate({ ...result, principal: "agent" });
      return { ran: true, code: "", result: null };
    }
    const code = decision.details?.code ?? "none";
    if (code !== "in_flight") return { ran: false, code, result: decision.modified_result };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
