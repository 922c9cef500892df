import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  BlockedError,
  enforceToolCall,
  NotApprovedError,
  RemoteEngine,
  resumeToolCall,
} from "../../client-node/index.ts";
import type { ApprovalView } from "../../daemon/operator/approval-view.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place, shortDirectory } from "../kit/place.ts";
import { until } from "../kit/processes.ts";
import { startProxy } from "../kit/services/proxy.ts";
import { freshDatabase } from "../kit/services/services.ts";

const source = `import { defineRules } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";

const args = z.strictObject({ customer: z.string(), amount: z.number(), card: z.string().optional() });
export default defineRules({
  id: "money",
  version: 1,
  tools: [
    defineTool({ name: "pay", effect: "write", args, redact: ["card"], idempotency: { by: "off" } }),
    defineTool({ name: "wire", effect: "write", args, lease_s: 1 }),
  ],
  policies: [
    {
      id: "pay.two",
      tools: ["pay"],
      when: { amount: { gt: 1000 } },
      then: "require_approval",
      approval: { roles: ["finance", "lead"], count: 2, expires_s: 600 },
    },
    {
      id: "pay.standing",
      tools: ["pay"],
      when: { amount: { gt: 100, lte: 1000 } },
      then: "require_approval",
      approval: { expires_s: 600, scopes: ["exact", { shape: ["customer"] }] },
    },
  ],
});
`;

const operators = [
  ["ann", "--role", "finance"],
  ["ben", "--role", "lead"],
  ["cy", "--role", "support"],
] as const;

interface Stage {
  readonly place: Place;
  readonly daemon: Daemon;
  readonly engine: RemoteEngine;
}

const staged = async (settings: string): Promise<Stage> => {
  const place = await makePlace(source, `unknown: block\n${settings}`);
  for (const operator of operators) expect((await interlock(place, ["operators", "add", ...operator])).code).toBe(0);
  const daemon = await startDaemon(place);
  return { place, daemon, engine: new RemoteEngine(place.socket, { timeout: 20 }) };
};

let calls = 0;

/** Runs at once, or waits for an operator under the approval that is answered. */
const pay = async ({ engine }: Stage, args: Record<string, unknown>, action = "pay") => {
  const callId = `call-${++calls}`;
  try {
    return { ran: await enforceToolCall(action, args, { engine, callId, principal: "agent-1" }) };
  } catch (error) {
    if (!(error instanceof NotApprovedError)) throw error;
    return { approvalId: String(error.approvalId), callId };
  }
};
const asked = async (stage: Stage, args: Record<string, unknown>) => {
  const { approvalId, callId } = await pay(stage, args);
  if (approvalId === undefined || callId === undefined) throw new Error("nobody was asked");
  return { approvalId, callId };
};

const decide = async ({ place }: Stage, as: string, ...args: readonly string[]) => {
  const { stdout, code } = await interlock(place, ["approvals", ...args, "--as", as, "--json"]);
  const said = JSON.parse(stdout) as { code?: string; approval?: ApprovalView };
  return [code, said.code ?? said.approval?.status];
};

describe.each(deployments)("on %s", (_store, settings) => {
  test("two of those whose role is asked for have to say yes; a third role, a second vote and the request's term count for nothing", async () => {
    const stage = await staged(await settings());
    const approval = await asked(stage, { customer: "c1", amount: 5000, card: "4111" });
    const { approvalId } = approval;
    const resume = () => resumeToolCall("pay", approval, { engine: stage.engine, principal: "agent-1" });
    expect(await decide(stage, "cy", "grant", approvalId)).toEqual([2, "lacks_role"]);
    expect(await decide(stage, "ann", "grant", approvalId, "--scope", "exact")).toEqual([2, "scope_not_permitted"]);
    expect(await decide(stage, "ann", "grant", approvalId, "--until", "11m")).toEqual([2, "until_out_of_range"]);
    expect(await decide(stage, "ann", "grant", approvalId)).toEqual([0, "pending"]);
    expect(await decide(stage, "ann", "grant", approvalId)).toEqual([2, "voted_already"]);
    await expect(resume()).rejects.toThrow(NotApprovedError);
    expect(await decide(stage, "ben", "grant", approvalId, "--until", "5m")).toEqual([0, "granted"]);
    const { stdout } = await interlock(stage.place, ["approvals", "show", approvalId, "--as", "cy"]);
    expect(stdout).toContain('pay {"amount": 5000, "card": <redacted>, "customer": "c1"}');
    expect(await resume()).toEqual({ customer: "c1", amount: 5000, card: "4111" });
    const events = (await receiptsOf(stage.place)).map(({ event }) => event);
    expect(events.filter((event) => String(event).startsWith("approval_"))).toEqual([
      "approval_voted",
      "approval_granted",
    ]);
    await stage.engine.close();
    await stage.daemon.stop();
  }, 60_000);

  test("a standing grant lets run what it is for, until it is revoked", async () => {
    const stage = await staged(await settings());
    const exact = await asked(stage, { customer: "c1", amount: 500 });
    expect(await decide(stage, "ann", "grant", exact.approvalId, "--scope", "exact", "--until", "1h")).toEqual([
      0,
      "granted",
    ]);
    expect(await pay(stage, { amount: 500, customer: "c1" })).toHaveProperty("ran");
    expect(await pay(stage, { customer: "c1", amount: 500 })).toHaveProperty("ran");
    const shape = await asked(stage, { customer: "c1", amount: 501 });
    expect(await decide(stage, "ann", "grant", shape.approvalId, "--scope", "shape:customer", "--until", "1h")).toEqual(
      [0, "granted"],
    );
    expect(await pay(stage, { customer: "c1", amount: 502 })).toHaveProperty("ran");
    expect(await pay(stage, { customer: "c2", amount: 502 })).toHaveProperty("approvalId");
    expect(await decide(stage, "cy", "revoke", shape.approvalId)).toEqual([0, "revoked"]);
    expect(await pay(stage, { customer: "c1", amount: 503 })).toHaveProperty("approvalId");
    expect(await pay(stage, { customer: "c1", amount: 500 })).toHaveProperty("ran");
    await stage.engine.close();
    await stage.daemon.stop();
  }, 60_000);

  test("an unknown outcome is a person's to resolve: failed lets it run again, executed does not", async () => {
    const stage = await staged(await settings());
    const resolve = async (outcome: string) => {
      const list = async () => {
        const { stdout } = await interlock(stage.place, [
          "transactions",
          "list",
          "--status",
          "unknown",
          "--as",
          "ann",
          "--json",
        ]);
        return (JSON.parse(stdout) as { transactions: { transaction_id: string }[] }).transactions;
      };
      await until("the outcome is unknown", async () => (await list()).length === 1);
      const [id] = (await list()).map(({ transaction_id }) => transaction_id);
      const resolved = ["transactions", "resolve", String(id), outcome, "--as"];
      expect((await interlock(stage.place, [...resolved, "ann"])).code).toBe(0);
      expect((await interlock(stage.place, [...resolved, "ben"])).code).toBe(1);
    };
    const wire = { customer: "c1", amount: 1 };
    expect(await pay(stage, wire, "wire")).toHaveProperty("ran");
    await resolve("failed");
    expect(await pay(stage, wire, "wire")).toHaveProperty("ran");
    await resolve("executed");
    await expect(pay(stage, wire, "wire")).rejects.toThrow(BlockedError);
    await stage.engine.close();
    await stage.daemon.stop();
  }, 60_000);
});

test("daemons that share a PostgreSQL share what waits: asked at one, seen and granted at another, run once at a third", async () => {
  const shared = shortDirectory();
  const settings = `store: ${await freshDatabase()}\ndeployment_key: ${JSON.stringify(join(shared, "deployment.key"))}\n`;
  const first = await staged(settings);
  const second = await staged(settings);
  const third = await staged(settings);
  const approval = await asked(first, { customer: "c1", amount: 500, card: "4111" });
  const { stdout } = await interlock(second.place, ["approvals", "list", "--as", "ann"]);
  expect(stdout).toContain(`${approval.approvalId} pending: pay {"amount": 500, "card": <redacted>, "customer": "c1"}`);
  expect(await decide(second, "ann", "grant", approval.approvalId)).toEqual([0, "granted"]);
  const resumes = [third, first, third].map(({ engine }) =>
    resumeToolCall("pay", approval, { engine, principal: "agent-1" }),
  );
  const settled = await Promise.allSettled(resumes);
  expect(settled.filter(({ status }) => status === "fulfilled").length).toBe(1);
  for (const { engine, daemon, place } of [first, second, third]) {
    await engine.close();
    await daemon.stop();
    await receiptsOf(place);
  }
}, 60_000);

test("PostgreSQL goes while operators decide: nothing is decided, and deciding goes on when it is back", async () => {
  const proxy = await startProxy(await freshDatabase());
  const stage = await staged(`store: ${proxy.url}\n`);
  const { approvalId } = await asked(stage, { customer: "c1", amount: 500 });
  await proxy.cut();
  expect(await decide(stage, "ann", "grant", approvalId)).toEqual([5, "store_unavailable"]);
  await proxy.restore();
  await until("it is decided", async () => (await decide(stage, "ann", "grant", approvalId))[0] === 0);
  await stage.engine.close();
  await stage.daemon.stop();
}, 60_000);
