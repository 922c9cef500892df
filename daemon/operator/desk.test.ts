import { chmodSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { shortDirectory } from "../commands/test-answering-peer.ts";
import type { Listener } from "../socket/listener.ts";
import { askOperators, type OperatorSeat } from "./ask-operators.ts";
import { addOperator, removeOperator } from "./change-operators.ts";
import { denyApproval, grantApproval, listApprovals, revokeApproval, showApproval } from "./commands/approvals.ts";
import { listTransactions, resolveTransaction, showTransaction } from "./commands/transactions.ts";
import { type WatchLine, watchApprovals } from "./commands/watch.ts";
import { maxOperatorConnections, maxOperatorFrameBytes } from "./limits.ts";
import { operatorsFileIn } from "./operators-file.ts";
import { approvalId, MemoryPlane, need, transactionId, transactionRow } from "./plane.testkit.ts";
import { serveOperators } from "./serve-operators.ts";
import { newToken } from "./token.ts";

const id = approvalId("one");
const once = { scope: { kind: "once" }, until_s: null, note: null } as const;

let state: string;
let plane: MemoryPlane;
let listener: Listener;
let ann: OperatorSeat;
let ben: OperatorSeat;
beforeEach(async () => {
  state = shortDirectory();
  plane = new MemoryPlane();
  const socket = join(state, "operator.sock");
  ann = { socket, token: addOperator(state, "ann", ["finance"], 1) };
  ben = { socket, token: addOperator(state, "ben", [], 1) };
  listener = await serveOperators({ operator_socket: socket, state }, plane);
  const served = listener;
  onTestFinished(() => served.drain(0));
});

/** What a raw peer is answered until the connection ends, or until so many frames came. */
const raw = (bytes: string | Buffer, frames = 1): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const socket = createConnection(ann.socket);
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split("\n").length > frames) socket.destroy();
    });
    socket.on("close", () => resolve(text.split("\n").filter((line) => line !== "")));
    socket.write(bytes);
  });

describe("the operators' socket", () => {
  test("is its owner's alone", () => {
    expect(statSync(ann.socket).mode & 0o777).toBe(0o600);
  });

  test("stays open to operators however many connect without a token, idle or with half a frame", async () => {
    plane.ask({ approval_id: id }, { amount: 1500 });
    const strangers = Array.from({ length: 3 * maxOperatorConnections }, (_, at) => {
      const socket = createConnection(ann.socket).on("error", () => undefined);
      if (at % 2 === 0) socket.write('{"v":1,');
      return socket;
    });
    onTestFinished(() => {
      for (const stranger of strangers) stranger.destroy();
    });
    await Promise.all(
      strangers.map((stranger) => new Promise((resolve) => stranger.once("connect", resolve).once("close", resolve))),
    );
    expect((await listApprovals(ann, { status: "pending", limit: 10 }, plane.time_ms)).lines).toHaveLength(1);
    expect((await grantApproval(ben, id, once, plane.time_ms)).lines[0]).toContain("granted");
  });

  test("cuts off who has shown no token for 5 seconds, and leaves who has", async () => {
    const watching = new AbortController();
    onTestFinished(() => watching.abort());
    const heard: WatchLine[] = [];
    const watch = (async () => {
      const options = {
        json: false,
        signal: watching.signal,
        now_ms: () => plane.time_ms,
        wait: async () => undefined,
      };
      for await (const line of watchApprovals(ann, options)) heard.push(line);
    })();
    const idle = createConnection(ann.socket);
    const opened = performance.now();
    await new Promise((resolve) => idle.resume().once("close", resolve));
    expect(performance.now() - opened).toBeGreaterThan(4_000);
    plane.ask({ approval_id: id }, { amount: 1500 });
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    watching.abort();
    await watch;
  }, 20_000);

  test("lists, shows, grants and revokes, each decision by the operator whose token it is", async () => {
    plane.ask({ approval_id: id }, { amount: 1500 });
    const listed = await listApprovals(ann, { status: "pending", limit: 10 }, plane.time_ms);
    expect(listed.lines[0]).toMatch(/^ap_oneA+ pending: refund \{"amount": 1500\} for "agent-1"; because/);
    const granted = await grantApproval(ben, id, { ...once, note: "ok" }, plane.time_ms);
    expect(granted).toMatchObject({
      exitCode: 0,
      json: { ok: true, approval: { status: "granted", decided_by: "operator:ben" } },
    });
    expect((await showApproval(ann, id, plane.time_ms)).lines[1]).toContain('  ben 1970-01-01T00:16:40.000Z: "ok"');
    expect((await revokeApproval(ann, id, plane.time_ms)).lines[0]).toContain("; revoked by operator:ann");
    expect(await listApprovals(ann, { status: "pending", limit: 10 }, plane.time_ms)).toMatchObject({
      exitCode: 0,
      lines: ["no approval is pending"],
    });
  });

  test("says no with its code, and the exit code of that", async () => {
    plane.ask({ approval_id: id, needs: JSON.stringify([need({ roles: ["finance"] })]) });
    const asks: [work: Promise<unknown>, exitCode: number, code: string][] = [
      [showApproval(ann, approvalId("two"), 0), 1, "not_found"],
      [grantApproval(ben, id, once, 0), 2, "lacks_role"],
      [grantApproval(ann, id, { ...once, scope: { kind: "exact" } }, 0), 2, "scope_not_permitted"],
      [grantApproval(ann, id, { ...once, until_s: 10 ** 9 }, 0), 2, "until_out_of_range"],
      [grantApproval({ ...ann, token: newToken() }, id, once, 0), 2, "not_an_operator"],
      [grantApproval(ann, "ap_1", once, 0), 2, "bad_request"],
      [showTransaction(ann, transactionId("two")), 1, "not_found"],
    ];
    for (const [work, exitCode, code] of asks)
      expect(await work).toMatchObject({ exitCode, json: { ok: false, code } });
    expect((await denyApproval(ann, id, null, 0)).exitCode).toBe(0);
    expect(await grantApproval(ann, id, once, 0)).toMatchObject({ exitCode: 1, json: { code: "not_pending" } });
    plane.isAway = true;
    expect(await showApproval(ann, id, 0)).toMatchObject({ exitCode: 5, json: { code: "store_unavailable" } });
  });

  test("is closed to who is an operator no longer, and to all where operators.json is not to be trusted", async () => {
    plane.ask({ approval_id: id });
    removeOperator(state, "ben");
    expect(await grantApproval(ben, id, once, 0)).toMatchObject({ exitCode: 2, json: { code: "not_an_operator" } });
    chmodSync(operatorsFileIn(state), 0o666);
    expect(await grantApproval(ann, id, once, 0)).toMatchObject({ exitCode: 2, json: { code: "operators_refused" } });
    chmodSync(operatorsFileIn(state), 0o600);
    writeFileSync(operatorsFileIn(state), '{"operators":[');
    expect(await grantApproval(ann, id, once, 0)).toMatchObject({ exitCode: 2, json: { code: "operators_refused" } });
    rmSync(operatorsFileIn(state));
    expect(await grantApproval(ann, id, once, 0)).toMatchObject({ exitCode: 2, json: { code: "no_operators" } });
    expect(plane.approvals.get(id)?.status).toBe("pending");
  });

  test("who may decide is in the chain before anybody decides, and again when it changed", async () => {
    plane.ask({ approval_id: id });
    await showApproval(ann, id, 0);
    await grantApproval(ann, id, once, 0);
    removeOperator(state, "ben");
    await showApproval(ann, id, 0);
    expect(plane.noted.map(({ event, detail }) => `${event} ${detail}`)).toEqual([
      "operators_changed operators: ann +finance, ben",
      expect.stringMatching(/^approval_granted /),
      "operators_changed operators: ann +finance",
    ]);
  });

  test("where that cannot be written nobody decides", async () => {
    plane.ask({ approval_id: id });
    plane.isAway = true;
    expect(await grantApproval(ann, id, once, 0)).toMatchObject({ exitCode: 5, json: { code: "store_unavailable" } });
    plane.isAway = false;
    expect((await grantApproval(ann, id, once, 0)).exitCode).toBe(0);
    expect(plane.noted.map(({ event }) => event)).toEqual(["operators_changed", "approval_granted"]);
  });

  test("a token is in no answer and no receipt", async () => {
    plane.ask({ approval_id: id });
    const said = [await grantApproval(ann, id, once, 0), await showApproval({ ...ann, token: newToken() }, id, 0)];
    expect(JSON.stringify([said, plane.noted])).not.toContain(ann.token);
  });

  test("junk is answered with an error frame, and changes nothing", async () => {
    plane.ask({ approval_id: id });
    for (const line of ["", "{}", "null", "x".repeat(100), '{"event":{},"id":"1","v":1}']) {
      const [answer] = await raw(`${line}\n`);
      expect(JSON.parse(String(answer))).toMatchObject({ error: { code: expect.stringMatching(/^bad_/) }, v: 1 });
    }
    expect(plane.noted).toEqual([]);
  });

  test.each([
    ["with its end", `${"x".repeat(maxOperatorFrameBytes)}\n`],
    ["without an end", "x".repeat(maxOperatorFrameBytes + 70_000)],
  ])("a frame that is too long is refused, and its connection ends: %s", async (_name, bytes) => {
    const [answer] = await raw(bytes, 99);
    expect(JSON.parse(String(answer))).toMatchObject({ error: { code: "too_large" }, id: "" });
  });

  test("requests of one connection are answered one by one, in their order", async () => {
    plane.ask({ approval_id: id });
    const ask = (name: string, kind: string, more = {}): string =>
      `${JSON.stringify({ ask: kind, id: name, token: ann.token, v: 1, with: { approval_id: id, ...more } })}\n`;
    const lines = await raw(ask("a", "approvals.deny") + ask("b", "approvals.grant", { scope: { kind: "once" } }), 2);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: "a", answer: { approval: { status: "denied" } } },
      { id: "b", error: { code: "not_pending" } },
    ]);
  });

  test("two operators at once: one decides, the other is told", async () => {
    plane.ask({ approval_id: id });
    const both = await Promise.all([grantApproval(ann, id, once, 0), denyApproval(ben, id, null, 0)]);
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    expect(plane.noted.map(({ event }) => event).filter((event) => event.startsWith("approval_")).length).toBe(1);
  });

  test("where nobody serves it a command says so: exit code 5", async () => {
    await listener.drain(0);
    expect(await showApproval(ann, id, 0)).toMatchObject({
      exitCode: 5,
      lines: [`no answer at ${ann.socket}: ENOENT; start interlock-sidecar`],
      json: { ok: false, code: "no_daemon" },
    });
  });
});

describe("transactions", () => {
  test("are listed and shown without the hashes of their arguments", async () => {
    plane.transactions.set(transactionId("one"), transactionRow());
    const { lines, json } = await listTransactions(ann, { status: "all", limit: 5 });
    expect(lines).toEqual([expect.stringContaining(" unknown: refund (write) for ")]);
    expect(JSON.stringify(json)).not.toMatch(/fingerprint|claim_key|ffff|cccc/);
    expect((await showTransaction(ann, transactionId("one"))).exitCode).toBe(0);
  });

  test("an unknown one is resolved once, by who did not ask for it, with its receipt", async () => {
    const transaction_id = transactionId("one");
    plane.transactions.set(transaction_id, transactionRow({ principal: "Ben" }));
    expect(await resolveTransaction(ben, transaction_id, "failed")).toMatchObject({
      exitCode: 2,
      json: { code: "is_requester" },
    });
    expect(plane.transactions.get(transaction_id)?.status).toBe("unknown");
    expect((await resolveTransaction(ann, transaction_id, "executed")).exitCode).toBe(0);
    expect(await resolveTransaction(ann, transaction_id, "failed")).toMatchObject({
      exitCode: 1,
      json: { code: "not_unknown" },
    });
    expect(plane.told).toEqual([[transaction_id, "executed"]]);
    expect(plane.noted.filter(({ event }) => event !== "operators_changed")).toMatchObject([
      { event: "transaction_resolved", detail: `${transaction_id} resolved as executed by operator:ann` },
    ]);
  });
});

describe("a watch", () => {
  const watching = (seat: OperatorSeat) => {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const lines: WatchLine[] = [];
    const ended = (async () => {
      const options = {
        json: false,
        signal: stop.signal,
        now_ms: plane.now_ms,
        wait: () => new Promise<void>((resolve) => setTimeout(resolve, 10)),
      };
      for await (const line of watchApprovals(seat, options)) lines.push(line);
    })();
    const shown = (to: "stdout" | "stderr") => lines.filter((line) => line.to === to).map(({ line }) => line);
    const sees = (text: string) =>
      expect.poll(() => lines.map(({ line }) => line).join("\n"), { timeout: 5000 }).toContain(text);
    return { stop, ended, shown, sees };
  };

  test("shows what is pending, what comes, and what becomes of it; each once", async () => {
    plane.ask({ approval_id: id }, { amount: 1 });
    const { sees, shown, stop, ended } = watching(ann);
    await sees(`${id} pending: refund {"amount": 1}`);
    const two = approvalId("two");
    plane.ask({ approval_id: two }, { amount: 2 });
    await sees(`${two} pending: refund {"amount": 2}`);
    await grantApproval(ben, two, once, 0);
    await sees(`${two} granted: refund {"amount": 2}`);
    plane.time_ms += 3_600_000;
    await sees(`${id} expired: refund`);
    expect(shown("stdout").length).toBe(4);
    stop.abort();
    await ended;
  });

  test("says that the daemon is away, and that it is back: nobody waits blind", async () => {
    const { sees } = watching(ann);
    await sees("watching; 0 pending");
    await listener.drain(0);
    await sees("not watching: no answer at ");
    listener = await serveOperators({ operator_socket: ann.socket, state }, plane);
    const again = listener;
    onTestFinished(() => again.drain(0));
    plane.ask({ approval_id: id });
    await sees("the daemon is back");
    await sees(`${id} pending`);
  });

  test("says that the store is away, and that it is back", async () => {
    const { sees } = watching(ann);
    await sees("watching; 0 pending");
    plane.isAway = true;
    await sees("not watching: the store cannot be read");
    plane.isAway = false;
    await sees("the store is back");
  });

  test("ends for an operator that was removed", async () => {
    const { sees, ended } = watching(ben);
    await sees("watching; 0 pending");
    removeOperator(state, "ben");
    plane.ask({ approval_id: id }, { amount: 77 });
    await expect(ended).rejects.toMatchObject({ code: "not_an_operator", exitCode: 2 });
  });

  test("is one a connection", async () => {
    const frame = `${JSON.stringify({ ask: "approvals.watch", id: "w", token: ann.token, v: 1, with: {} })}\n`;
    const lines = await raw(frame + frame, 2);
    expect(JSON.parse(String(lines[1]))).toMatchObject({ error: { code: "bad_request" } });
  });
});

test("a request that no operator's socket knows is said to be none", async () => {
  await expect(askOperators(ann, "approvals.erase" as "approvals.list", {})).rejects.toMatchObject({
    code: "bad_request",
  });
});
