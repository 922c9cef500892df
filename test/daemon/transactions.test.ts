import { afterEach, describe, expect, test } from "vitest";
import { BlockedError, guardToolMap, NotApprovedError, RemoteEngine } from "../../client-node/index.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { refundModule } from "../kit/refunds.ts";

describe.each(deployments)("on %s", (_name, settings) => {
  const daemons: Daemon[] = [];
  const engines: RemoteEngine[] = [];
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
  });

  const serving = async (module = refundModule()): Promise<Place> => {
    const place = await makePlace(module, `unknown: block\n${await settings()}`);
    daemons.push(await startDaemon(place));
    return place;
  };

  const order = { order_id: "o1", customer_id: "c1", amount: 100, note: "n", request_id: "none" };

  /** An agent whose refunds are counted. */
  const agent = (place: Place, { principal = "agent", pay = async () => ({ paid: true }) as object } = {}) => {
    const engine = new RemoteEngine(place.socket, { timeout: 20, principal });
    engines.push(engine);
    const ran: object[] = [];
    const replays: string[] = [];
    const tools = guardToolMap(
      {
        refund: async (args: object) => {
          ran.push(args);
          return pay();
        },
      },
      { engine, onReplay: ({ transactionId }) => replays.push(transactionId) },
    );
    return { engine, refund: (changes: object = {}) => tools.refund({ ...order, ...changes }), ran, replays };
  };

  const refusal = async (call: Promise<unknown>): Promise<BlockedError> => {
    try {
      await call;
    } catch (error) {
      if (error instanceof BlockedError) return error;
      throw error;
    }
    throw new Error("it was not refused");
  };

  const codeOf = async (call: Promise<unknown>): Promise<string | undefined> =>
    (await refusal(call)).decision.details?.code;

  describe("one refund", () => {
    test("runs once: its repeat is answered with its result, in any order of its keys, and both are in the chain", async () => {
      const place = await serving();
      const { refund, ran, replays } = agent(place);
      expect(await refund()).toEqual({ paid: true });
      expect(await refund()).toEqual({ paid: true });
      expect(await refund({ note: "n", amount: 100 })).toEqual({ paid: true });
      expect(ran).toHaveLength(1);
      expect(replays).toHaveLength(2);
      const receipts = await receiptsOf(place);
      const calls = receipts.filter(({ kind, phase }) => kind === "decision" && phase === "call");
      expect(calls.map(({ code }) => code)).toEqual(["allowed", "replayed", "replayed"]);
      expect(new Set(calls.map(({ transaction_id }) => transaction_id)).size).toBe(1);
    });

    test("a hundred at once over four connections run once", async () => {
      const place = await serving();
      const agents = Array.from({ length: 4 }, () =>
        agent(place, { pay: () => new Promise((resolve) => setTimeout(() => resolve({ paid: true }), 50)) }),
      );
      const results = await Promise.all(Array.from({ length: 100 }, (_, at) => agents[at % 4]?.refund()));
      expect(agents.flatMap(({ ran }) => ran)).toHaveLength(1);
      expect(new Set(results.map((result) => JSON.stringify(result)))).toEqual(new Set(['{"paid":true}']));
    });

    test("is told which field is wrong, and that a text or a boolean is no amount", async () => {
      const place = await serving();
      const { refund, ran } = agent(place);
      for (const amount of ["9999", true, [9999], { amount: 9999 }, null]) {
        const blocked = await refusal(refund({ amount }));
        expect(blocked.decision.details?.code).toBe("evidence_failed");
        expect(blocked.decision.details?.errors).toMatchObject([{ loc: "amount" }]);
        expect(blocked.message).not.toContain("9999");
      }
      expect(await codeOf(refund({ amount: 9999, order_id: "o2", customer_id: "c2" }))).toBe("fact_failed");
      expect(await codeOf(refund({ amount: 6000, order_id: "o2", customer_id: "c2" }))).toBe("policy_denied");
      expect(await codeOf(refund({ amonut: 1 }))).toBe("evidence_failed");
      expect(ran).toEqual([]);
    });

    test("of another's order, or of more than is left of it, is blocked by the facts", async () => {
      const place = await serving();
      const { refund, ran } = agent(place);
      const wrong = await refusal(refund({ customer_id: "c2" }));
      expect(wrong.decision).toMatchObject({ attributed_to: "customer_id", details: { code: "fact_failed" } });
      expect(await codeOf(refund({ amount: 1001 }))).toBe("fact_failed");
      expect(await codeOf(refund({ order_id: "nowhere" }))).toBe("fact_failed");
      expect(ran).toEqual([]);
    });

    test("that failed may be tried again; one whose result never came may not, and a person decides", async () => {
      const place = await serving(refundModule({ more: "lease_s: 1," }));
      let fails = true;
      const trying = agent(place, {
        pay: async () => {
          if (fails) throw new RangeError("the bank is shut");
          return { paid: true };
        },
      });
      await expect(trying.refund()).rejects.toThrow("the bank is shut");
      fails = false;
      expect(await trying.refund()).toEqual({ paid: true });
      const { engine } = agent(place);
      const lost = { ...order, amount: 7 };
      await engine.evaluate({ action: "refund", args: lost, principal: "agent", call_id: "lost" });
      await new Promise((resolve) => setTimeout(resolve, 2500));
      expect(await codeOf(trying.refund({ amount: 7 }))).toBe("outcome_unknown");
      const unknown = (await receiptsOf(place)).filter(({ event }) => event === "transaction_unknown");
      expect(unknown).toHaveLength(1);
      // Its result comes after all.
      await engine.evaluate({
        action: "refund",
        args: { paid: 7 },
        phase: "result",
        principal: "agent",
        call_id: "lost",
      });
      expect(await trying.refund({ amount: 7 })).toEqual({ paid: 7 });
    }, 30_000);

    test("of another principal is another refund", async () => {
      const place = await serving();
      const [one, two] = [agent(place, { principal: "a" }), agent(place, { principal: "b" })];
      await one.refund();
      await two.refund();
      expect([one.ran.length, two.ran.length]).toEqual([1, 1]);
    });

    test("is remembered over a restart and a kill of the daemon", async () => {
      const place = await serving();
      const first = agent(place);
      await first.refund();
      await daemons.splice(0)[0]?.kill();
      daemons.push(await startDaemon(place));
      const second = agent(place);
      expect(await second.refund()).toEqual({ paid: true });
      expect(second.ran).toEqual([]);
    });
  });

  describe("a caller's key", () => {
    test("makes repeats one call, and refuses another call under it", async () => {
      const place = await serving(
        refundModule({ more: 'idempotency: { by: { key: "request_id" } },', requestId: "z.string()" }),
      );
      const { refund, ran } = agent(place);
      await refund({ request_id: "k1" });
      expect(await refund({ request_id: "k1" })).toEqual({ paid: true });
      expect(await codeOf(refund({ request_id: "k1", amount: 101 }))).toBe("key_reused");
      await refund({ request_id: "k2" });
      expect(ran).toHaveLength(2);
    });
  });

  describe("a limit", () => {
    const limit = `{ id: "refund.daily", tools: ["refund"], limit: { sum: "amount", max: 250, per: ["principal"], window_s: 3600 } },`;

    test("stops refunds that were split, and gives back what failed", async () => {
      const place = await serving(refundModule({ policies: limit }));
      let fails = true;
      const { refund, ran } = agent(place, {
        pay: async () => {
          if (fails) throw new Error("no");
          return { paid: true };
        },
      });
      await expect(refund({ amount: 200 })).rejects.toThrow("no");
      fails = false;
      await refund({ amount: 100 });
      await refund({ amount: 101 });
      expect(await codeOf(refund({ amount: 50 }))).toBe("limit_exceeded");
      await refund({ amount: 49 });
      expect(ran).toHaveLength(4);
      // A repeat spends nothing.
      expect(await refund({ amount: 100 })).toEqual({ paid: true });
    });
  });

  describe("a large refund", () => {
    const large = { amount: 900 };

    test("waits for an operator; one grant runs it once, and a second resume has its result", async () => {
      const place = await serving();
      await interlock(place, ["operators", "add", "olga"]);
      const { refund, ran, engine } = agent(place);
      const asked = await refusal(refund(large));
      expect(asked).toBeInstanceOf(NotApprovedError);
      const { approvalId, callId } = asked as NotApprovedError;
      expect(approvalId).toMatch(/^ap_/);
      // Asking again opens no second request.
      expect(((await refusal(refund(large))) as NotApprovedError).approvalId).toBe(approvalId);
      expect(await engine.resume(approvalId as string, { callId: callId as string })).toMatchObject({
        verdict: 3,
        details: { code: "approval_pending" },
      });
      const granted = await interlock(place, ["approvals", "grant", approvalId as string]);
      expect([granted.code, granted.stderr]).toEqual([0, ""]);
      const resumed = await engine.resume(approvalId as string, { callId: callId as string });
      expect(resumed).toMatchObject({ verdict: 2, modified_args: { ...order, ...large } });
      const again = await engine.resume(approvalId as string, { callId: callId as string });
      expect(again.details?.code).toBe("in_flight");
      const result = { action: "refund", args: { paid: 900 }, phase: "result" as const, principal: "agent" };
      await engine.evaluate({ ...result, call_id: callId as string });
      const third = await engine.resume(approvalId as string, { callId: callId as string });
      expect(third).toMatchObject({ verdict: 1, modified_result: { paid: 900 }, details: { code: "replayed" } });
      expect(await refund(large)).toEqual({ paid: 900 });
      expect(ran).toEqual([]);
      const receipts = await receiptsOf(place);
      expect(receipts.filter(({ event }) => event === "approval_granted")).toHaveLength(1);
    }, 30_000);

    test("that an operator denied stays denied", async () => {
      const place = await serving();
      await interlock(place, ["operators", "add", "olga"]);
      const { refund, engine } = agent(place);
      const { approvalId, callId } = (await refusal(refund(large))) as NotApprovedError;
      expect((await interlock(place, ["approvals", "deny", approvalId as string])).code).toBe(0);
      expect((await interlock(place, ["approvals", "grant", approvalId as string])).code).not.toBe(0);
      expect((await engine.resume(approvalId as string, { callId: callId as string })).details?.code).toBe(
        "approval_denied",
      );
      expect(await codeOf(refund(large))).toBe("approval_denied");
    }, 30_000);

    test("is judged by the rules of the day that it is resumed", async () => {
      const place = await serving();
      await interlock(place, ["operators", "add", "olga"]);
      const { refund, engine } = agent(place);
      const { approvalId, callId } = (await refusal(refund(large))) as NotApprovedError;
      await interlock(place, ["approvals", "grant", approvalId as string]);
      const { putRules } = await import("../kit/place.ts");
      await putRules(place, refundModule({ version: 2, ceiling: 800 }));
      expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
      expect((await engine.resume(approvalId as string, { callId: callId as string })).details?.code).toBe(
        "policy_denied",
      );
    }, 30_000);
  });
});
