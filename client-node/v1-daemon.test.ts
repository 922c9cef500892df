import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { Verdict } from "../wire/verdict.ts";
import { enforceToolCall } from "./enforce-call.ts";
import { engineFor, pause, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, type Peer, socketPath } from "./testing/scripted-daemon.ts";

/**
 * A daemon of wire v1, from its description: exact key sets, one request after the other on a connection, `bad_request` for a frame
 * that it does not know, the connection kept.
 */
const topKeys = ["v", "id", "event"];
const eventKeys = ["action", "args", "principal", "span_id", "parent_principal", "phase", "ts"];

// biome-ignore lint/suspicious/noExplicitAny: a frame as it was sent
const unknownKey = (frame: any): string | null => {
  const top = Object.keys(frame).filter((key) => !topKeys.includes(key));
  if (top.length > 0) return `unknown request key(s): ${top.sort().join(", ")}`;
  const inner = Object.keys(frame.event).filter((key) => !eventKeys.includes(key));
  return inner.length > 0 ? `unknown event key(s): ${inner.sort().join(", ")}` : null;
};

interface V1 {
  readonly script: (peer: Peer) => Promise<void>;
  /** The greatest number of requests that lay unanswered on one connection. */
  mostAtOnce: number;
}

const v1 = (judge: (action: string) => object | "die" | "hang"): V1 => {
  const daemon: V1 = {
    mostAtOnce: 0,
    script: async (peer) => {
      for (let served = 1; ; served++) {
        const frame = await peer.next();
        if (frame === null) return;
        const wrong = unknownKey(frame);
        if (wrong !== null) {
          peer.send({ error: { code: "bad_request", message: wrong }, id: frame.id, v: 1 });
          continue;
        }
        await pause(1);
        daemon.mostAtOnce = Math.max(daemon.mostAtOnce, peer.lines.length - served + 1);
        const answer = judge(frame.event.action);
        if (answer === "hang") return;
        if (answer === "die") return void peer.socket.end();
        peer.send(answerTo(frame.id, answer, false));
      }
    },
  };
  return daemon;
};

test("a v1 daemon is spoken to in v1: one question at a time, on the connection on which it refused the hello", async () => {
  const daemon = v1((action) => ({ reason: action }));
  const { path, peers } = await scripted(daemon.script);
  const engine = engineFor(path);
  const asked = Array.from({ length: 20 }, (_, i) => engine.evaluate({ action: `a${i}`, args: { i }, call_id: "c" }));
  expect((await Promise.all(asked)).map(({ reason }) => reason)).toEqual(asked.map((_, i) => `a${i}`));
  expect(daemon.mostAtOnce).toBe(1);
  expect(peers.length).toBe(1);
  expect(engine.stats).toMatchObject({ protocol: "v1", daemon: null, connections: 1 });
});

test("verdict 3 is not one of v1's", async () => {
  const { path } = await scripted(v1(() => ({ verdict: Verdict.ESCALATE })).script);
  const engine = engineFor(path);
  const call = enforceToolCall("a", {}, { engine, onEscalate: () => true });
  expect(await reasonOf(call)).toMatch(/\(bad_request\).*verdict must be one of 0, 1, 2/);
});

test("a ninth key is not one of v1's", async () => {
  const { path } = await scripted(v1(() => ({ details: null })).script);
  expect(await reasonOf(engineFor(path).evaluate({ action: "a" }))).toMatch(/\(bad_request\).*details/);
});

test("a v1 rewrite is merged over the arguments", async () => {
  const { path } = await scripted(v1(() => ({ verdict: Verdict.MODIFY, modified_args: { path: "/tmp/q" } })).script);
  const args = await enforceToolCall("write", { path: "/etc/hosts", mode: 1 }, { engine: engineFor(path) });
  expect(args).toEqual({ path: "/tmp/q", mode: 1 });
});

test("a v1 daemon's error frame blocks one call and keeps the connection", async () => {
  const { path, peers } = await scripted(
    v1((action) => (action === "bad" ? { error: { code: "internal", message: "x" } } : {})).script,
  );
  const engine = engineFor(path);
  expect(await reasonOf(engine.evaluate({ action: "bad" }))).toMatch(/\(internal\).*: x$/);
  expect((await engine.evaluate({ action: "good" })).verdictName).toBe("ALLOW");
  expect(peers.length).toBe(1);
});

test("a question that a v1 daemon took and did not answer is blocked, never asked again; those behind it are asked", async () => {
  let deaths = 0;
  const { path, peers } = await scripted(v1((action) => (action === "killer" && ++deaths > 0 ? "die" : {})).script);
  const engine = engineFor(path);
  const killer = reasonOf(engine.evaluate({ action: "killer" }));
  const next = engine.evaluate({ action: "next" });
  expect(await killer).toMatch(/\(bad_response\).*daemon closed the connection/);
  expect((await next).verdictName).toBe("ALLOW");
  expect(deaths).toBe(1);
  expect(peers.length).toBe(2);
});

test("a question that a v1 daemon hangs on times out and takes its connection along; those behind it are asked", async () => {
  const { path, peers } = await scripted(v1((action) => (action === "hang" ? "hang" : {})).script);
  const engine = engineFor(path, { timeout: 0.2 });
  const hang = reasonOf(engine.evaluate({ action: "hang" }));
  await pause(120);
  const next = engine.evaluate({ action: "next" });
  expect(await hang).toMatch(/SocketTimeout: no reply within 0.2s/);
  expect((await next).verdictName).toBe("ALLOW");
  expect(peers.length).toBe(2);
});

const v1Source = `
  const { createServer } = require("node:net");
  createServer((socket) => socket.on("data", (bytes) => {
    const { id, hello } = JSON.parse(bytes);
    const nulls = { attributed_to: null, modified_args: null, modified_result: null, policy_id: null };
    const body = hello ? { error: { code: "bad_request", message: "unknown request key(s): hello" } } : { ...nulls, reason: "", verdict: 0 };
    socket.write(JSON.stringify({ ...body, id, v: 1 }) + "\\n");
  })).listen(process.argv[1], () => console.log("listening"));
`;

test("a frame that never reached a v1 daemon is sent again: a restart of an idle one costs no block", async () => {
  const path = socketPath();
  const child = spawn(process.execPath, ["-e", v1Source, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const engine = engineFor(path);
  await engine.evaluate({ action: "a" });
  child.kill("SIGKILL");
  // The client is given no turn to notice before it writes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  const question = engine.evaluate({ action: "b" });
  await once(child, "exit");
  rmSync(path);
  await scripted(v1(() => ({ reason: "judged" })).script, path);
  expect((await question).reason).toBe("judged");
});
