import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  enforceToolCall,
  enforceToolResult,
  guardToolMap,
  type NotApprovedError,
  RemoteEngine,
  reportOutcome,
  resumeToolCall,
} from "../../client-node/index.ts";
import { type Daemon, interlock, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place } from "../kit/place.ts";
import { until } from "../kit/processes.ts";

const rules = `
import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";
export default defineRules({
  id: "money",
  version: 1,
  tools: ["refund", "close_account", "lookup", "page"].map((name) => defineTool({
    name,
    effect: "write",
    args: z.strictObject({ id: z.string().min(1), eur: z.number().positive().default(1) }),
    examples: [{ args: { id: "a" }, expect: "allow" }, { args: { id: 7 }, expect: "deny", errors: ["id"] }],
  })),
  policies: [
    { id: "money.ask", tools: ["refund", "close_account"], when: { eur: { gt: 500 } }, then: "require_approval",
      approval: { by: "operator" } },
    { id: "page.ask", tools: ["page"], when: { eur: { gt: 500 } }, then: "require_approval", approval: { by: "client" } },
  ],
});
`;

describe.each(deployments)("on %s", (_name, settings) => {
  let place: Place;
  let daemon: Daemon;
  let engine: RemoteEngine;
  beforeEach(async () => {
    place = await makePlace(rules, `unknown: allow\n${await settings()}`);
    expect((await interlock(place, ["operators", "add", "ops"])).code).toBe(0);
    daemon = await startDaemon(place);
    engine = new RemoteEngine(place.socket, { principal: "agent", timeout: 20, grace_ms: 10_000 });
  });
  afterEach(async () => {
    await engine.close();
    if (daemon.isAlive()) await daemon.kill();
  });

  interface Listed {
    readonly approval_id: string;
    readonly action: string;
  }

  const listed = async (): Promise<readonly Listed[]> => {
    const { stdout, stderr, code } = await interlock(place, ["approvals", "list", "--json"]);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout).approvals;
  };

  const decide = async (decision: "grant" | "deny", id: string): Promise<void> => {
    const { code, stderr } = await interlock(place, ["approvals", decision, id]);
    if (code !== 0) throw new Error(stderr);
  };

  /** Tools that note what they ran with. */
  const makeTools = (options: object = {}) => {
    const ran: unknown[] = [];
    const tool = (name: string) => async (args: object) => {
      ran.push({ name, ...args });
      return { result: `${name} done` };
    };
    const names = ["refund", "close_account", "lookup", "page"] as const;
    const tools = guardToolMap(
      Object.fromEntries(names.map((name) => [name, tool(name)])) as Record<
        (typeof names)[number],
        ReturnType<typeof tool>
      >,
      { engine, ...options },
    );
    return { ran, tools };
  };

  const thrown = (call: Promise<unknown>): Promise<NotApprovedError> =>
    call.then(
      (value) => expect.unreachable(JSON.stringify(value)),
      (error) => error,
    );

  describe("the client and the daemon", () => {
    it("say what is wrong with the arguments, field by field", async () => {
      const { ran, tools } = makeTools();
      const error = await thrown(tools.refund({ id: 7, eur: "9999" }));
      expect(error.decision.details?.code).toBe("evidence_failed");
      expect(error.decision.errors.map(({ loc }) => loc).sort()).toEqual(["eur", "id"]);
      expect(ran).toEqual([]);
    });

    it("run a call once: a repeat has its result, also where that has the form of a wrapped one", async () => {
      const replays: string[] = [];
      const onReplay = ({ transactionId }: { transactionId: string }): void => void replays.push(transactionId);
      const { ran, tools } = makeTools({ onReplay });
      const results = await Promise.all([
        tools.lookup({ id: "a" }),
        tools.lookup({ id: "a" }),
        tools.lookup({ id: "b" }),
      ]);
      expect(results).toEqual(Array(3).fill({ result: "lookup done" }));
      expect(await tools.lookup({ id: "a", eur: 1 })).toEqual({ result: "lookup done" });
      expect(ran).toEqual([
        { name: "lookup", id: "a", eur: 1 },
        { name: "lookup", id: "b", eur: 1 },
      ]);
      expect(replays).toEqual([expect.stringMatching(/^tx_/), replays[0]]);
    });

    it("judge a call afresh after its tool failed", async () => {
      let times = 0;
      const tools = guardToolMap(
        {
          lookup: (_: object) => {
            if (++times === 1) throw new RangeError("no funds");
            return "found";
          },
        },
        { engine },
      );
      await expect(tools.lookup({ id: "a" })).rejects.toThrow(RangeError);
      expect(await tools.lookup({ id: "a" })).toBe("found");
      expect(await tools.lookup({ id: "a" })).toBe("found");
      expect(times).toBe(2);
      expect(engine.stats).toMatchObject({ reported: 1, unreported: 0, replayed: 1 });
      const unmatched = await engine.outcome({ call_id: "of-no-call", status: "failed", error_type: null });
      expect(unmatched).toMatchObject({ verdictName: "BLOCK", details: { code: "outcome_unmatched" } });
      expect(engine.stats.unreported).toBe(1);
    });

    it("resume an approved call by hand: the whole arguments, once, and only as the action that was approved", async () => {
      const { ran, tools } = makeTools();
      const asked = await thrown(tools.refund({ id: "a", eur: 1500 }));
      expect(asked).toMatchObject({ name: "NotApprovedError", approvalId: expect.stringMatching(/^ap_/) });
      const approval = { approvalId: asked.approvalId as string, callId: asked.callId as string };
      const early = await thrown(resumeToolCall("refund", approval, { engine }));
      expect(early).toMatchObject({ name: "NotApprovedError", approvalId: approval.approvalId });
      expect((await thrown(tools.refund({ id: "a", eur: 1500 }))).approvalId).toBe(approval.approvalId);
      await decide("grant", approval.approvalId);
      const code = (error: NotApprovedError) => error.decision.details?.code;
      expect(code(await thrown(resumeToolCall("lookup", approval, { engine })))).toBe("approval_other_call");
      expect(await resumeToolCall("refund", approval, { engine })).toEqual({ id: "a", eur: 1500 });
      expect(code(await thrown(resumeToolCall("refund", approval, { engine })))).toBe("in_flight");
      expect(ran).toEqual([]);
      await enforceToolResult("refund", "paid", { engine, callId: approval.callId });
      const again = await thrown(resumeToolCall("refund", approval, { engine }));
      expect(again).toMatchObject({ name: "ReplayedError", result: "paid" });
    });

    it("wait for an operator's yes, three calls at once, approved in reverse, with a restart between", async () => {
      const { ran, tools } = makeTools({ escalate: "wait", escalateDeadline_ms: 60_000 });
      const outputs = Promise.all([
        tools.refund({ id: "a", eur: 1500 }),
        tools.lookup({ id: "a" }),
        tools.close_account({ id: "a", eur: 900 }),
      ]);
      await until("both are asked for", async () => (await listed()).length === 2);
      const [first, second] = (await listed()) as [Listed, Listed];
      const refund = first.action === "refund" ? first : second;
      const close = first.action === "refund" ? second : first;
      await decide("grant", close.approval_id);
      await until("the second ran", async () => ran.length === 2);
      await daemon.kill();
      daemon = await startDaemon(place);
      await decide("grant", refund.approval_id);
      expect(await outputs).toEqual(["refund", "lookup", "close_account"].map((name) => ({ result: `${name} done` })));
      expect(ran).toEqual([
        { name: "lookup", id: "a", eur: 1 },
        { name: "close_account", id: "a", eur: 900 },
        { name: "refund", id: "a", eur: 1500 },
      ]);
    }, 60_000);

    it("end a wait by a no, and by the deadline", async () => {
      const { ran, tools } = makeTools({ escalate: "wait", escalateDeadline_ms: 60_000 });
      const denied = thrown(tools.refund({ id: "a", eur: 1500 }));
      await until("it is asked for", async () => (await listed()).length === 1);
      await decide("deny", ((await listed())[0] as Listed).approval_id);
      expect((await denied).decision.details?.code).toBe("approval_denied");
      const { tools: brief } = makeTools({ escalate: "wait", escalateDeadline_ms: 400 });
      expect((await thrown(brief.refund({ id: "b", eur: 1500 }))).message).toMatch(/nobody approved it within 0.4 s/);
      expect(ran).toEqual([]);
    });

    it("abandon what was let run after its caller gave up: the next such call runs", async () => {
      const impatient = new RemoteEngine(place.socket, { principal: "agent", timeout: 0.4 });
      const { ran, tools } = makeTools({ engine: impatient });
      // The first one holds the claim; the second waits for it, is given up, and is let run when the first one fails.
      const held = { engine, callId: "held", principal: "agent" };
      await enforceToolCall("lookup", { id: "a" }, held);
      expect((await thrown(tools.lookup({ id: "a" }))).message).toMatch(/no reply within 0.4s/);
      expect(await reportOutcome({ status: "failed", error: new Error("x") }, held)).toBe(true);
      await until("the late answer is told of", async () => impatient.stats.reported === 1);
      expect(await tools.lookup({ id: "a" })).toEqual({ result: "lookup done" });
      expect(ran.length).toBe(1);
      await impatient.close();
    });

    it("take a client's yes where the policy leaves it to the client, and nothing less", async () => {
      const refused = makeTools({ escalate: "wait" });
      expect((await thrown(refused.tools.page({ id: "a", eur: 900 }))).message).toMatch(/no `onEscalate`/);
      const denied = makeTools({ onEscalate: () => false });
      expect((await thrown(denied.tools.page({ id: "a", eur: 900 }))).name).toBe("NotApprovedError");
      expect([...refused.ran, ...denied.ran]).toEqual([]);
      const approved = makeTools({ onEscalate: ({ args }: { args: object }) => "eur" in args });
      expect(await approved.tools.page({ id: "a", eur: 900 })).toEqual({ result: "page done" });
      expect(approved.ran).toEqual([{ name: "page", id: "a", eur: 900 }]);
    });
  });
});
