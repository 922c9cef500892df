import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  BlockedError,
  enforceToolCall,
  enforceToolResult,
  NotApprovedError,
  RemoteEngine,
  ReplayedError,
  resumeToolCall,
} from "../../client-node/index.ts";
import { RawConnection } from "../../conformance/replay/raw-connection.ts";
import type { ApprovalView } from "../../daemon/operator/approval-view.ts";
import { interlock, receiptsOf, startDaemon } from "../kit/daemon.ts";
import { deployments } from "../kit/deployments.ts";
import { makePlace, type Place, putRules } from "../kit/place.ts";
import { start, until } from "../kit/processes.ts";
import { program } from "../kit/programs.ts";
import { plainRule, rule, ruleModule } from "../kit/rules.ts";

const asks = rule("refund", `return escalate("large refund", { attributedTo: "amount", by: "operator" });`);
const source = ruleModule([asks, plainRule()].join(",\n"));

describe.each(deployments)("on %s", (_name, settings) => {
  const placeWithOperators = async (...names: readonly string[]): Promise<Place> => {
    const place = await makePlace(source, `unknown: allow\n${await settings()}`);
    for (const name of names) expect((await interlock(place, ["operators", "add", name])).code).toBe(0);
    return place;
  };

  const engineOf = (place: Place, principal = "agent-1") => ({ engine: new RemoteEngine(place.socket), principal });

  type Options = ReturnType<typeof engineOf>;

  let calls = 0;

  /** A call that waits for an operator: its approval, and its id. */
  const asked = async (
    options: Options,
    args: Record<string, unknown>,
  ): Promise<{ approvalId: string; callId: string }> => {
    const error = await enforceToolCall("refund", args, { ...options, callId: `call-${++calls}` }).then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof NotApprovedError)) throw error;
    return { approvalId: String(error.approvalId), callId: String(error.callId) };
  };

  const json = async (
    place: Place,
    ...args: readonly string[]
  ): Promise<{ code: number | null; said: Record<string, unknown> }> => {
    const { code, stdout, stderr } = await interlock(place, [...args, "--json"]);
    expect(stderr).toBe("");
    return { code, said: JSON.parse(stdout) };
  };
  const approvalIn = (said: Record<string, unknown>): ApprovalView => said.approval as ApprovalView;

  test("a call that an operator must approve runs once: asked, listed, granted, resumed; and all of it is in the chain", async () => {
    const place = await placeWithOperators("ann");
    const daemon = await startDaemon(place);
    const options = engineOf(place);
    const approval = await asked(options, { amount: 1500, order: "ORD-42" });
    await expect(resumeToolCall("refund", approval, options)).rejects.toThrow(NotApprovedError);
    expect((await asked(options, { order: "ORD-42", amount: 1500 })).approvalId).toBe(approval.approvalId);

    const listed = await interlock(place, ["approvals", "list"]);
    expect(listed.stdout).toMatch(
      /^ap_\S{22} pending: refund \{"amount": 1500, "order": "ORD-42"\} for "agent-1"; because .*large refund.*; asked \d+ s ago, over in \d+ \w+; 0 of 1 yes\n$/,
    );
    const granted = await interlock(place, ["approvals", "grant", approval.approvalId, "--note", "ticket 7"]);
    expect([granted.code, granted.stdout]).toEqual([
      0,
      expect.stringContaining("; granted by operator:ann, for one run, until "),
    ]);

    expect(await resumeToolCall("refund", approval, options)).toEqual({ amount: 1500, order: "ORD-42" });
    await enforceToolResult("refund", { refunded: 1500 }, { ...options, callId: approval.callId });
    await expect(resumeToolCall("refund", approval, options)).rejects.toThrow(ReplayedError);
    expect(approvalIn((await json(place, "approvals", "show", approval.approvalId)).said).status).toBe("used");
    const again = await json(place, "approvals", "grant", approval.approvalId);
    expect(again).toMatchObject({ code: 1, said: { code: "not_pending" } });
    const { said } = await json(place, "transactions", "list");
    expect((said.transactions as { status: string }[]).map(({ status }) => status)).toContain("executed");

    const noted = (await receiptsOf(place)).filter(({ event }) => String(event).startsWith("approval_"));
    expect(noted).toMatchObject([
      { event: "approval_granted", detail: expect.stringContaining("by operator:ann, for once") },
    ]);
    options.engine.close();
    await daemon.stop();
  });

  test("a no is a no: the call is blocked, and so is the same call asked again", async () => {
    const place = await placeWithOperators("ann");
    const daemon = await startDaemon(place);
    const options = engineOf(place);
    const approval = await asked(options, { amount: 1 });
    expect((await interlock(place, ["approvals", "deny", approval.approvalId])).code).toBe(0);
    await expect(resumeToolCall("refund", approval, options)).rejects.toMatchObject({
      decision: { details: { code: "approval_denied" } },
    });
    await expect(enforceToolCall("refund", { amount: 1 }, options)).rejects.toThrow(BlockedError);
    options.engine.close();
    await daemon.stop();
  });

  describe("attacks", () => {
    test("the agents' socket knows no request of operators, and the operators' socket no call", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const options = engineOf(place);
      const { approvalId } = await asked(options, { amount: 1 });
      const grant = {
        ask: "approvals.grant",
        id: "1",
        token: "x",
        v: 1,
        with: { approval_id: approvalId, scope: { kind: "once" } },
      };
      for (const [path, frame] of [
        [place.socket, grant],
        [
          join(place.state, "operator.sock"),
          { event: { action: "plain", args: {}, phase: "call", ts: 1 }, id: "1", v: 1 },
        ],
      ] as const) {
        const raw = await RawConnection.open(path);
        raw.send(Buffer.from(`${JSON.stringify(frame)}\n`));
        expect(JSON.parse(String(await raw.line(5000)))).toMatchObject({ error: { code: "bad_request" } });
        raw.drop();
      }
      expect(approvalIn((await json(place, "approvals", "show", approvalId)).said).status).toBe("pending");
      options.engine.close();
      await daemon.stop();
    });

    test("nobody grants a call of their own, by a removed operator's token, or by a forged one", async () => {
      const place = await placeWithOperators("ann", "ben");
      const daemon = await startDaemon(place);
      const own = engineOf(place, "Ann");
      const { approvalId } = await asked(own, { amount: 1 });
      const ann = await json(place, "approvals", "grant", approvalId, "--as", "ann");
      expect(ann).toMatchObject({ code: 2, said: { code: "is_requester" } });
      const token = join(place.home, "operators", "ben.token");
      const kept = String(readFileSync(token, "utf8"));
      expect((await interlock(place, ["operators", "remove", "ben"])).code).toBe(0);
      for (const text of [kept, `${"A".repeat(43)}\n`]) {
        writeFileSync(token, text, { mode: 0o600 });
        const ben = await json(place, "approvals", "grant", approvalId, "--as", "ben");
        expect(ben).toMatchObject({ code: 2, said: { code: "not_an_operator" } });
      }
      own.engine.close();
      await daemon.stop();
    });

    test("a resume whose client cannot be told what was approved takes nothing: the grant stands for one that can", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const peer = async (...features: readonly string[]) => {
        const raw = await RawConnection.open(place.socket);
        let count = 0;
        const ask = async (body: string) => {
          raw.send(Buffer.from(`{"id":"${++count}",${body},"v":1}\n`));
          return JSON.parse(String(await raw.line(5000)));
        };
        await ask(`"hello":{"client":"t/1","features":${JSON.stringify(["call_id", "details", ...features])}}`);
        return { ask, close: () => raw.drop() };
      };
      const able = await peer("escape", "replace_args", "replay");
      const merging = await peer("escape", "replay");
      const unescaped = await peer("replace_args", "replay");
      // An object that looks like bytes, which a peer without `escape` cannot be sent.
      const note = '{"__interlock__":"=bytes","b64":"eHg="}';
      const call = `"action":"refund","args":{"note":${note}},"call_id":"c1","phase":"call","principal":"agent-1"`;
      const { approval_id } = (await able.ask(`"event":{${call}}`)).details;
      expect((await interlock(place, ["approvals", "grant", approval_id])).code).toBe(0);
      const resume = `"resume":{"approval_id":"${approval_id}","call_id":"c1"}`;

      // Merged over arguments of its own, what was approved would be another call.
      expect(await merging.ask(resume)).toMatchObject({ verdict: 1, details: { code: "resume_not_applicable" } });
      expect(await unescaped.ask(resume)).toMatchObject({ error: { code: "unrepresentable" } });
      expect(approvalIn((await json(place, "approvals", "show", approval_id)).said).status).toBe("granted");
      expect(await able.ask(resume)).toMatchObject({ verdict: 2 });
      for (const { close } of [able, merging, unescaped]) close();
      await daemon.stop();
    });

    test("an approval is for its call and its principal: another's id opens nothing", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const mine = engineOf(place);
      const other = engineOf(place, "agent-2");
      const first = await asked(mine, { amount: 1 });
      const second = await asked(mine, { amount: 999 });
      expect((await interlock(place, ["approvals", "grant", first.approvalId])).code).toBe(0);
      await expect(
        resumeToolCall("refund", { approvalId: first.approvalId, callId: second.callId }, mine),
      ).rejects.toThrow(BlockedError);
      await expect(resumeToolCall("refund", second, mine)).rejects.toThrow(NotApprovedError);
      await expect(enforceToolCall("refund", { amount: 1 }, other)).rejects.toThrow(NotApprovedError);
      expect(await resumeToolCall("refund", first, mine)).toEqual({ amount: 1 });
      for (const { engine } of [mine, other]) engine.close();
      await daemon.stop();
    });

    test("what the agent chose forges no line: controls and directions are escaped, in JSON too", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const options = engineOf(place, "agent\u202e\u001b[2K");
      await asked(options, { "x\u2028": `"; granted by operator:ann\n\u001b[1A\u009b2K${" ".repeat(200)}` });
      for (const args of [
        ["approvals", "list"],
        ["approvals", "list", "--json"],
        ["transactions", "list", "--json"],
      ]) {
        const { stdout } = await interlock(place, args);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
        expect(stdout.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
      }
      options.engine.close();
      await daemon.stop();
    });
  });

  describe("what goes wrong", () => {
    test("the daemon is killed between the grant and the resume: the grant stands, and is used once", async () => {
      const place = await placeWithOperators("ann");
      let daemon = await startDaemon(place);
      const options = engineOf(place);
      const approval = await asked(options, { amount: 1500 });
      await daemon.kill();
      daemon = await startDaemon(place);
      expect((await interlock(place, ["approvals", "grant", approval.approvalId])).code).toBe(0);
      await daemon.kill();
      daemon = await startDaemon(place);
      const both = await Promise.allSettled([1, 2].map(() => resumeToolCall("refund", approval, options)));
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      options.engine.close();
      await daemon.stop();
      await receiptsOf(place);
    });

    test("without an operator nobody grants, and the line says how to add one", async () => {
      const place = await makePlace(source, `unknown: allow\n${await settings()}`);
      const daemon = await startDaemon(place);
      const { code, stderr } = await interlock(place, ["approvals", "list"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("run interlock operators add NAME")]);
      await daemon.stop();
    });

    test("the operators' socket is its owner's alone, goes with the daemon, and is replaced after a kill", async () => {
      const place = await placeWithOperators("ann");
      let daemon = await startDaemon(place);
      const socket = join(place.state, "operator.sock");
      expect(statSync(socket).mode & 0o777).toBe(0o600);
      await daemon.kill();
      expect((await interlock(place, ["approvals", "list"])).code).toBe(5);
      daemon = await startDaemon(place);
      expect((await interlock(place, ["approvals", "list"])).code).toBe(0);
      await daemon.stop();
      expect(readdirSync(place.state)).not.toContain("operator.sock");
    });

    test("a rule hangs and its engine ends: operators are served by the next one, and what waits still waits", async () => {
      const place = await placeWithOperators("ann");
      await putRules(place, ruleModule([asks, rule("hang", "for (;;);"), plainRule()].join(",\n"), { version: 2 }));
      const daemon = await startDaemon(place);
      const options = engineOf(place);
      const approval = await asked(options, { amount: 1 });
      await expect(enforceToolCall("hang", {}, options)).rejects.toThrow(BlockedError);
      expect((await interlock(place, ["approvals", "grant", approval.approvalId])).code).toBe(0);
      expect(await resumeToolCall("refund", approval, options)).toEqual({ amount: 1 });
      options.engine.close();
      await daemon.stop();
    });

    test("operators.json is damaged: nobody decides, agents are asked for as before, and mending it is enough", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const options = engineOf(place);
      const approval = await asked(options, { amount: 1 });
      const path = join(place.state, "operators.json");
      const good = readFileSync(path, "utf8");
      writeFileSync(path, good.slice(0, 20));
      const refused = await json(place, "approvals", "grant", approval.approvalId);
      expect(refused).toMatchObject({ code: 2, said: { code: "operators_refused" } });
      await enforceToolCall("plain", {}, options);
      writeFileSync(path, good);
      expect((await json(place, "approvals", "grant", approval.approvalId)).code).toBe(0);
      options.engine.close();
      await daemon.stop();
    });

    test("a rule is loaded that blocks between grant and resume: the grant opens nothing", async () => {
      const place = await placeWithOperators("ann");
      const daemon = await startDaemon(place);
      const options = engineOf(place);
      const approval = await asked(options, { amount: 1500 });
      expect((await interlock(place, ["approvals", "grant", approval.approvalId])).code).toBe(0);
      await putRules(
        place,
        ruleModule([rule("refund", `return block("no refunds today");`), plainRule()].join(",\n"), { version: 2 }),
      );
      expect((await interlock(place, ["rules", "reload"])).code).toBe(0);
      await expect(resumeToolCall("refund", approval, options)).rejects.toThrow("no refunds today");
      options.engine.close();
      await daemon.stop();
    });

    test("who watches sees requests as they come, and that the daemon is away and back", async () => {
      const place = await placeWithOperators("ann");
      let daemon = await startDaemon(place);
      const watch = start(program("interlock"), ["approvals", "watch"], { env: place.env });
      await until("it watches", () => watch.stderr().includes("watching; 0 pending"));
      const options = engineOf(place);
      const { approvalId } = await asked(options, { amount: 1500 });
      await until("the request is shown", () => watch.stdout().includes(`${approvalId} pending: refund`));
      await daemon.kill();
      await until("it says that it does not watch", () => watch.stderr().includes("not watching: "));
      daemon = await startDaemon(place);
      await until("it watches again", () => watch.stderr().includes("the daemon is back"));
      expect((await interlock(place, ["approvals", "deny", approvalId])).code).toBe(0);
      await until("what became of it is shown", () => watch.stdout().includes(`${approvalId} denied: refund`));
      watch.child.kill("SIGINT");
      expect((await watch.ended).code).toBe(0);
      options.engine.close();
      await daemon.stop();
    });
  });
});
