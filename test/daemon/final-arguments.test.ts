import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import {
  BlockedError,
  type Escalation,
  guardToolMap,
  type NotApprovedError,
  RemoteEngine,
  ReplayedError,
} from "../../client-node/index.ts";
import type { ApprovalView } from "../../daemon/operator/approval-view.ts";
import { type Daemon, interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place, putRules } from "../kit/place.ts";
import { rule } from "../kit/rules.ts";

/** One tool with a contract; a refund of more than 500 needs an operator, and one beyond the ceiling is denied. */
const module = ({ rules = [] as readonly string[], ceiling = 5000, version = 1 } = {}): string =>
  `import { allow, defineRules, escalate, rewrite } from "interlock/rules";
import { defineTool, z } from "interlock/contracts";

export default defineRules({
  id: "finals",
  version: ${version},
  tools: [
    defineTool({
      name: "refund",
      effect: "write",
      args: z.strictObject({ order: z.string(), amount: z.number().positive(), note: z.string().default("none") }),
    }),
  ],
  policies: [
    { id: "ceiling", tools: ["refund"], when: { amount: { gt: ${ceiling} } }, then: "deny" },
    { id: "large", tools: ["refund"], when: { amount: { gt: 500 } }, then: "require_approval", approval: { count: 1, expires_s: 600 } },
  ],
  rules: [${rules.join(",\n")}],
});
`;

/** A note of "x" becomes "y", and amounts of 13 become 6000. */
const rewrites = rule(
  "rewrites",
  `if (event.args.note === "x") return rewrite({ note: "y" });
   if (event.args.amount === 13) return rewrite({ amount: 6000 });`,
  { actions: ["refund"] },
);
const asks = (by: "client" | "operator"): string =>
  rule("asks", `return escalate("somebody has to look", { by: "${by}" });`, { actions: ["refund"] });

/** Everything that a daemon wrote on disk, byte by byte. */
const filesBelow = (directory: string): string =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

/** Every row of the database that the place names; nothing where it names none. */
const tablesOf = async (place: Place): Promise<string> => {
  const [, url] = /^store: "(.+)"$/m.exec(readFileSync(place.config, "utf8")) ?? [];
  if (url === undefined) return "";
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'interlock'");
  let text = "";
  for (const { tablename } of rows as { tablename: string }[]) {
    const table = await client.query(`SELECT row_to_json(t)::text AS row FROM interlock.${tablename} t`);
    text += table.rows.map(({ row }) => row).join("\n");
  }
  await client.end();
  return text;
};

describe.each(deployments)("on %s", (_name, settings) => {
  const daemons: Daemon[] = [];
  const engines: RemoteEngine[] = [];
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
    await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
  });

  const serving = async (source: string): Promise<Place> => {
    const place = await makePlace(source, `unknown: block\n${await settings()}`);
    expect((await interlock(place, ["operators", "add", "olga"])).code).toBe(0);
    daemons.push(await startDaemon(place));
    return place;
  };

  const agent = (
    place: Place,
    more: { principal?: string; pay?: () => unknown; onEscalate?: (shown: Escalation) => boolean } = {},
  ) => {
    const engine = new RemoteEngine(place.socket, { timeout: 20, principal: more.principal ?? "agent" });
    engines.push(engine);
    const ran: object[] = [];
    const tools = guardToolMap(
      {
        refund: async (args: object) => {
          ran.push(args);
          return more.pay === undefined ? { paid: true } : more.pay();
        },
      },
      { engine, ...(more.onEscalate === undefined ? {} : { onEscalate: more.onEscalate }) },
    );
    return { engine, ran, refund: (args: object) => tools.refund(args) };
  };

  const refusal = async (call: Promise<unknown>): Promise<BlockedError> => {
    const error = await call.then(
      () => new Error("it was not refused"),
      (reason: unknown) => reason,
    );
    if (!(error instanceof BlockedError)) throw error;
    return error;
  };

  const shownBy = async (place: Place, approvalId: string): Promise<ApprovalView> =>
    JSON.parse((await interlock(place, ["approvals", "show", approvalId, "--json"])).stdout).approval;

  describe.each([
    ["a rewrite before the rule that asks", [rewrites, asks("operator")], 10],
    ["a rewrite after it", [asks("operator"), rewrites], 10],
    ["a rewrite and a policy that asks", [rewrites], 900],
  ])("%s", (_order, rules, amount) => {
    test("what the operator is shown, what was approved and what runs is the rewritten call", async () => {
      const place = await serving(module({ rules }));
      const { engine, refund, ran } = agent(place);
      const { approvalId, callId } = (await refusal(refund({ order: "o1", amount, note: "x" }))) as NotApprovedError;
      const final = { order: "o1", amount, note: "y" };
      expect((await shownBy(place, approvalId as string)).args).toEqual(final);
      expect((await interlock(place, ["approvals", "grant", approvalId as string])).code).toBe(0);
      const resumed = await engine.resume(approvalId as string, { callId: callId as string });
      expect(resumed).toMatchObject({ verdict: 2, modified_args: final });
      await engine.evaluate({
        action: "refund",
        args: { paid: 1 },
        phase: "result",
        principal: "agent",
        call_id: callId as string,
      });
      // Put again as it was first put, it is the call that ran.
      expect(await refund({ order: "o1", amount, note: "x" })).toEqual({ paid: 1 });
      expect(ran).toEqual([]);
      const codes = (await receiptsOf(place)).filter(({ phase }) => phase === "call").map(({ code }) => code);
      expect(codes).toEqual(["escalated_operator", "allowed", "replayed"]);
    }, 30_000);
  });

  test("a client that says yes is shown the rewritten call, and runs that", async () => {
    const place = await serving(module({ rules: [rewrites, asks("client")] }));
    const shown: object[] = [];
    const { refund, ran } = agent(place, {
      onEscalate: ({ args }) => {
        shown.push(args);
        return true;
      },
    });
    await refund({ order: "o1", amount: 10, note: "x" });
    expect(shown).toEqual([{ order: "o1", amount: 10, note: "y" }]);
    expect(ran).toEqual(shown);
  });

  test("a rewrite into what a policy denies is denied", async () => {
    const place = await serving(module({ rules: [rewrites] }));
    const { refund, ran } = agent(place);
    expect((await refusal(refund({ order: "o1", amount: 13 }))).decision.details?.code).toBe("policy_denied");
    expect(ran).toEqual([]);
  });

  test("a deny of today outranks the replay of what ran yesterday, and is what the chain says", async () => {
    const place = await serving(module());
    const { refund, ran } = agent(place);
    await refund({ order: "o1", amount: 400, note: "n" });
    await putRules(place, module({ ceiling: 300, version: 2 }));
    expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
    const again = await refusal(refund({ order: "o1", amount: 400, note: "n" }));
    expect(again).not.toBeInstanceOf(ReplayedError);
    expect(again.decision.details?.code).toBe("policy_denied");
    expect(ran).toHaveLength(1);
    const calls = (await receiptsOf(place)).filter(({ phase }) => phase === "call");
    expect(calls.map(({ code }) => code)).toEqual(["allowed", "policy_denied"]);
  });

  test("text that a database's columns do not take runs once, with its record, and can be approved", async () => {
    const place = await serving(module());
    const principal = `a\u0000${"p".repeat(200)}`;
    const { engine, refund, ran } = agent(place, { principal });
    for (const order of ["o\u0000", "\u202e".repeat(300), "x".repeat(100_000), "\ud83d\ude00", "'; --"]) {
      await refund({ order, amount: 1 });
      await refund({ order, amount: 1 });
    }
    expect(ran).toHaveLength(5);
    const { approvalId, callId } = (await refusal(
      refund({ order: "o\u0000", amount: 900, note: "\u0000" }),
    )) as NotApprovedError;
    expect((await shownBy(place, approvalId as string)).principal).toBe(principal);
    expect((await interlock(place, ["approvals", "grant", approvalId as string])).code).toBe(0);
    expect(await engine.resume(approvalId as string, { callId: callId as string })).toMatchObject({
      verdict: 2,
      modified_args: { order: "o\u0000", amount: 900, note: "\u0000" },
    });
    const receipts = (await receiptsOf(place)).filter(({ kind }) => kind === "decision");
    expect(receipts).toHaveLength(5 * 3 + 2);
  }, 30_000);

  test("a result that has no JSON form is never a reason to run again", async () => {
    const place = await serving(module());
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const [at, result] of [10n, circular].entries()) {
      const { refund, ran } = agent(place, { pay: () => result });
      const args = { order: `o${at}`, amount: 1 };
      expect(await refusal(refund(args))).not.toBeInstanceOf(ReplayedError);
      expect((await refusal(refund(args))).decision.details?.code).toBe("in_flight");
      expect(ran).toHaveLength(1);
    }
  }, 30_000);

  test("no value of an argument or of a result can be read in what is kept", async () => {
    const place = await serving(module());
    const { refund } = agent(place, { pay: () => ({ receipt: "result-5e1f" }) });
    await refund({ order: "order-77c0", amount: 1 });
    await refund({ order: "order-77c0", amount: 1 });
    await refusal(refund({ order: "order-77c0", amount: 900, note: "note-a3d9" }));
    await refusal(refund({ order: "order-77c0", amount: "amount-4b2e" }));
    await Promise.all(daemons.splice(0).map((daemon) => daemon.stop()));
    const kept = `${filesBelow(place.state)}${await tablesOf(place)}`;
    expect(kept).toContain("allowed");
    for (const value of ["result-5e1f", "order-77c0", "note-a3d9", "amount-4b2e"]) {
      expect(kept).not.toContain(value);
      // As bytes of a column are told.
      expect(kept).not.toContain(Buffer.from(value).toString("hex"));
    }
  }, 30_000);
});
