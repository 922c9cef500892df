import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { engineFor, pause, reasonOf, scripted } from "./testing/asking.ts";
import { everyFeature, judging, type Peer, socketPath, welcome } from "./testing/scripted-daemon.ts";

const withoutResend = everyFeature.filter((name) => name !== "resend");

/** Takes one event on the first connection and ends it; answers everything on the others. */
const diesOnce =
  (features: readonly string[], end: (peer: Peer) => void = (peer) => peer.socket.destroy()) =>
  async (peer: Peer, connection: number): Promise<void> => {
    if (connection > 1) return judging(() => ({ verdict: 1, reason: "judged" }), features)(peer, connection);
    await welcome(peer, features);
    await peer.line();
    end(peer);
  };

test("a question that lost its connection is asked once more, under the same nonce and id, byte for byte", async () => {
  const daemon = await scripted(diesOnce(everyFeature));
  const engine = engineFor(daemon.path);
  expect((await engine.evaluate({ action: "refund", args: { amount: 5 } })).reason).toBe("judged");
  const [first, second] = daemon.peers.map(({ lines }) => lines);
  expect(second).toEqual(first);
  expect(JSON.parse(first?.[0] as string).hello.nonce).toMatch(/^[\w-]{43}$/);
  expect(engine.stats).toMatchObject({ resent: 1, connections: 2, answered: 1, unanswered: 0 });
});

test("what is asked again is what was asked, whatever became of the caller's objects since", async () => {
  const args = { amount: 5 };
  const daemon = await scripted(
    diesOnce(everyFeature, (peer) => {
      args.amount = 1_000_000;
      peer.socket.destroy();
    }),
  );
  await engineFor(daemon.path).evaluate({ action: "refund", args });
  expect(JSON.parse(daemon.peers[1]?.lines[1] as string).event.args).toEqual({ amount: 5 });
});

test("half an answer is no answer: the question is asked once more", async () => {
  const daemon = await scripted(diesOnce(everyFeature, (peer) => peer.socket.end('{"attributed_to":null,"id":"op-')));
  expect((await engineFor(daemon.path).evaluate({ action: "refund" })).reason).toBe("judged");
});

test("a question is not asked a third time", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    await peer.line();
    peer.socket.destroy();
  });
  const engine = engineFor(daemon.path);
  expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(/bad_response|ECONNRESET/);
  expect(daemon.peers.length).toBe(2);
});

test("without the feature resend a question that was written is blocked, and those behind it are asked", async () => {
  const daemon = await scripted(diesOnce(withoutResend));
  const engine = engineFor(daemon.path);
  expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(/bad_response|ECONNRESET/);
  expect((await engine.evaluate({ action: "refund" })).reason).toBe("judged");
  expect(engine.stats.resent).toBe(0);
});

test("a daemon that came back without the feature resend is not asked what another may have decided", async () => {
  const daemon = await scripted(async (peer, connection) => {
    if (connection > 1) return judging(() => ({}), withoutResend)(peer, connection);
    await welcome(peer);
    await peer.line();
    peer.socket.destroy();
  });
  const reason = await reasonOf(engineFor(daemon.path).evaluate({ action: "refund" }));
  expect(reason).toMatch(/\(bad_response\).*cannot tell what became of it/);
  expect(daemon.peers[1]?.lines.length).toBe(1);
});

test("a restart between two calls costs no block: the idle connection is found dead and replaced", async () => {
  const path = socketPath();
  const first = await scripted(
    judging(() => ({})),
    path,
  );
  const engine = engineFor(path);
  await engine.evaluate({ action: "a" });
  await first.stop();
  const question = engine.evaluate({ action: "b" });
  await pause(100);
  await scripted(
    judging(() => ({})),
    path,
  );
  expect((await question).verdictName).toBe("ALLOW");
});

test("a restart under load costs no block and loses no question", async () => {
  const path = socketPath();
  const seen = new Map<string, number>();
  const count: Parameters<typeof judging>[0] = (event) => {
    seen.set(event.args.i, (seen.get(event.args.i) ?? 0) + 1);
    return { reason: String(event.args.i) };
  };
  let daemon = await scripted(judging(count), path);
  const engine = engineFor(path);
  let isDone = false;
  let asked = 0;
  const caller = async (): Promise<void> => {
    while (!isDone) {
      const i = asked++;
      expect((await engine.evaluate({ action: "a", args: { i } })).reason).toBe(String(i));
    }
  };
  const callers = Promise.all(Array.from({ length: 32 }, caller));
  for (let restarts = 0; restarts < 3; restarts++) {
    await pause(50);
    await daemon.stop();
    await pause(30);
    daemon = await scripted(judging(count), path);
  }
  await pause(50);
  isDone = true;
  await callers;
  expect(engine.stats).toMatchObject({ answered: asked, unanswered: 0, pending: 0 });
  expect(seen.size).toBe(asked);
});

test("absence: a socket that stays away for the whole grace", async () => {
  const path = socketPath();
  const engine = engineFor(path, { grace_ms: 80 });
  const begin = performance.now();
  expect(await reasonOf(engine.evaluate({ action: "a" }))).toMatch(/unreachable at .*ENOENT/);
  expect(performance.now() - begin).toBeGreaterThan(75);
  expect(engine.stats.connections).toBeGreaterThan(2);
});

test("the grace is never longer than the timeout", async () => {
  const engine = engineFor(socketPath(), { timeout: 0.05, grace_ms: 60_000 });
  const begin = performance.now();
  await reasonOf(engine.evaluate({ action: "a" }));
  expect(performance.now() - begin).toBeLessThan(2000);
});

test('unreachable "allow" lets a call through once nobody was there for the whole grace, and warns and counts', async () => {
  const warnings: string[] = [];
  const path = socketPath();
  const engine = engineFor(path, {
    unreachable: "allow",
    grace_ms: 30,
    onFallback: (message) => warnings.push(message),
  });
  const [one, two] = await Promise.all([engine.evaluate({ action: "a" }), engine.evaluate({ action: "b" })]);
  expect([one.verdictName, two.verdictName]).toEqual(["ALLOW", "ALLOW"]);
  expect(one.policy_id).toBeNull();
  expect(engine.fallbacks).toBe(2);
  expect(warnings[0]).toBe(`allowed 'a' without a verdict: ${one.reason}`);
});

test('unreachable "allow" warns by process.emitWarning unless told otherwise', async () => {
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  await engineFor(socketPath(), { unreachable: "allow", grace_ms: 0 }).evaluate({ action: "a" });
  expect((await warned).message).toMatch(/^allowed 'a' without a verdict: guard daemon unreachable/);
});

test("an onFallback that throws blocks the call", async () => {
  const onFallback = (): void => {
    throw new Error("no");
  };
  const engine = engineFor(socketPath(), { unreachable: "allow", grace_ms: 0, onFallback });
  expect(await reasonOf(engine.evaluate({ action: "a" }))).toMatch(/`onFallback` threw$/);
  expect(engine.fallbacks).toBe(0);
});

test('while the mark of a restart stands, unreachable "allow" does not apply and the call waits for the daemon', async () => {
  const path = socketPath();
  writeFileSync(`${path}.restarting`, "");
  const engine = engineFor(path, { unreachable: "allow", grace_ms: 30, onFallback: () => expect.unreachable() });
  const question = engine.evaluate({ action: "a" });
  await pause(150);
  await scripted(
    judging(() => ({ verdict: 1, reason: "judged" })),
    path,
  );
  rmSync(`${path}.restarting`);
  expect((await question).reason).toBe("judged");
});

test("a restart that lasts longer than the timeout blocks", async () => {
  const path = socketPath();
  writeFileSync(`${path}.restarting`, "");
  const engine = engineFor(path, { unreachable: "allow", grace_ms: 30, timeout: 0.2 });
  const begin = performance.now();
  expect(await reasonOf(engine.evaluate({ action: "a" }))).toMatch(/ENOENT/);
  expect(performance.now() - begin).toBeGreaterThan(190);
  expect(engine.fallbacks).toBe(0);
});

test("a restart whose mark went and whose daemon did not come blocks, although absence is allowed", async () => {
  const path = socketPath();
  writeFileSync(`${path}.restarting`, "");
  const engine = engineFor(path, { unreachable: "allow", grace_ms: 60 });
  const question = reasonOf(engine.evaluate({ action: "a" }));
  await pause(50);
  rmSync(`${path}.restarting`);
  expect(await question).toMatch(/ENOENT/);
  expect(engine.fallbacks).toBe(0);
});

test("a call that a daemon has seen is never let through: an input that kills the daemon opens no gate for itself", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    await peer.line();
    void daemon.stop();
  });
  const engine = engineFor(daemon.path, { unreachable: "allow", grace_ms: 50, onFallback: () => {} });
  expect(await reasonOf(engine.evaluate({ action: "killer" }))).toMatch(/unreachable|refused/);
  expect(engine.fallbacks).toBe(0);
  // Whoever comes after finds nobody there, which is what was allowed.
  expect((await engine.evaluate({ action: "next" })).verdictName).toBe("ALLOW");
});

test("events are framed anew for a daemon that came back with fewer features", async () => {
  const daemon = await scripted(async (peer, connection) => {
    if (connection === 1) {
      await welcome(peer);
      peer.socket.end();
    } else await judging(() => ({}), ["resend"])(peer, connection);
  });
  const engine = engineFor(daemon.path);
  await engine.evaluate({ action: "a", args: { n: 1 }, call_id: "c1" });
  const { event } = JSON.parse(daemon.peers[1]?.lines[1] as string);
  expect(event).not.toHaveProperty("call_id");
  expect(event.args).toEqual({ n: 1 });
});

test("an object that looks like encoded bytes travels escaped, and is refused where the daemon knows no escape", async () => {
  const lookAlike = { __interlock__: "bytes", b64: "AAH/" };
  const knows = await scripted(judging(() => ({})));
  await engineFor(knows.path).evaluate({ action: "a", args: { lookAlike } });
  expect(JSON.parse(knows.peers[0]?.lines[1] as string).event.args.lookAlike).toEqual({
    __interlock__: "=bytes",
    b64: "AAH/",
  });
  const knowsNot = await scripted(judging(() => ({}), ["resend"]));
  expect(await reasonOf(engineFor(knowsNot.path).evaluate({ action: "a", args: { lookAlike } }))).toMatch(
    /^the arguments of 'a' cannot be put to the guard: an object that looks like encoded bytes at lookAlike/,
  );
  expect(knowsNot.peers[0]?.lines.length).toBe(1);
});
