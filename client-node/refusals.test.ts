import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_LINE } from "../wire/limits.ts";
import { BlockedError } from "./blocked-error.ts";
import { Decision } from "./decision.ts";
import { engineFor, pause, reasonOf, scripted } from "./testing/asking.ts";
import { answerTo, everyFeature, helloAnswer, type Peer, socketPath, welcome } from "./testing/scripted-daemon.ts";

/** What a daemon does with the first event; whatever it is, the call must be blocked. */
type Misdeed = (peer: Peer, id: string) => void;

const answer = (id: string, fields: object = {}): string => `${JSON.stringify(answerTo(id, fields))}\n`;
const without = (id: string, key: string): string => {
  const { [key]: _, ...rest } = answerTo(id) as Record<string, unknown>;
  return `${JSON.stringify(rest)}\n`;
};

const misdeeds: Record<string, { does: Misdeed; reason: RegExp }> = {
  "closes instead of answering": {
    does: (peer) => peer.socket.end(),
    reason: /\(bad_response\).*daemon closed the connection/,
  },
  "half a frame, then the end": {
    does: (peer, id) => peer.socket.end(answer(id).slice(0, 40)),
    reason: /\(bad_response\).*daemon closed the connection/,
  },
  "a whole frame without its newline, then the end": {
    does: (peer, id) => peer.socket.end(answer(id).trimEnd()),
    reason: /\(bad_response\).*daemon closed the connection/,
  },
  "bad JSON": { does: (peer) => peer.send("{nope}\n"), reason: /\(bad_request\).*not valid JSON/ },
  "an empty line": { does: (peer) => peer.send("\n"), reason: /\(bad_request\)/ },
  "not an object": { does: (peer) => peer.send("[0]\n"), reason: /\(bad_request\).*must be a JSON object/ },
  "invalid UTF-8": { does: (peer) => peer.send(Buffer.from([0xff, 0x0a])), reason: /\(bad_request\).*UTF-8/ },
  "a byte order mark": {
    does: (peer, id) => peer.send(`\ufeff${answer(id)}`),
    reason: /\(bad_request\).*byte order mark/,
  },
  "the verdict twice": {
    does: (peer, id) => peer.send(answer(id).replace('"verdict":0', '"verdict":1,"verdict":0')),
    reason: /\(bad_request\).*a key twice/,
  },
  "the id of no question": { does: (peer, id) => peer.send(answer(`${id}0`)), reason: /\(bad_request\).*no question/ },
  "an empty id": { does: (peer) => peer.send(answer("")), reason: /\(bad_request\).*id must be a non-empty string/ },
  "a number for an id": {
    does: (peer, id) => peer.send(answer(id).replace(`"id":"${id}"`, '"id":1')),
    reason: /\(bad_request\)/,
  },
  "verdict 4": { does: (peer, id) => peer.send(answer(id, { verdict: 4 })), reason: /\(bad_request\).*verdict/ },
  "verdict -1": { does: (peer, id) => peer.send(answer(id, { verdict: -1 })), reason: /\(bad_request\).*verdict/ },
  "verdict 0.5": { does: (peer, id) => peer.send(answer(id, { verdict: 0.5 })), reason: /\(bad_request\).*verdict/ },
  "verdict false": {
    does: (peer, id) => peer.send(answer(id, { verdict: false })),
    reason: /\(bad_request\).*verdict/,
  },
  'verdict "0"': { does: (peer, id) => peer.send(answer(id, { verdict: "0" })), reason: /\(bad_request\).*verdict/ },
  "verdict null": { does: (peer, id) => peer.send(answer(id, { verdict: null })), reason: /\(bad_request\).*verdict/ },
  "no verdict": {
    does: (peer, id) => peer.send(without(id, "verdict")),
    reason: /\(bad_request\)/,
  },
  "version 2": { does: (peer, id) => peer.send(answer(id, { v: 2 })), reason: /\(bad_version\)/ },
  "no version": { does: (peer, id) => peer.send(without(id, "v")), reason: /\(bad_version\)/ },
  "an unknown key": {
    does: (peer, id) => peer.send(answer(id, { extra: 1 })),
    reason: /\(bad_request\).*unknown response key/,
  },
  "no details although they were agreed": {
    does: (peer, id) => peer.send(without(id, "details")),
    reason: /\(bad_request\)/,
  },
  "a rewrite that is an array": {
    does: (peer, id) => peer.send(answer(id, { verdict: 2, modified_args: [] })),
    reason: /\(bad_request\).*modified_args/,
  },
  "bytes that are not base64": {
    does: (peer, id) => peer.send(answer(id, { verdict: 2, modified_result: { __interlock__: "bytes", b64: "!" } })),
    reason: /\(bad_request\).*base64/,
  },
  "a reason that is a number": {
    does: (peer, id) => peer.send(answer(id, { reason: 7 })),
    reason: /\(bad_request\).*reason/,
  },
  "an ALLOW with a rewrite": {
    does: (peer, id) => peer.send(answer(id, { modified_args: {} })),
    reason: /\(bad_request\).*ALLOW carries no rewrite/,
  },
  "an error frame": {
    does: (peer, id) => peer.send({ error: { code: "internal", message: "it broke" }, id, v: 1 }),
    reason: /^guard daemon refused the request \(internal\) at .*: it broke$/,
  },
  "an error frame without an id": {
    does: (peer) => peer.send({ error: { code: "bad_version", message: "no" }, id: "", v: 1 }),
    reason: /\(bad_version\).*: no$/,
  },
  "an error frame that also holds an ALLOW": {
    does: (peer, id) => peer.send({ ...answerTo(id), error: { code: "internal", message: "" } }),
    reason: /\(internal\)/,
  },
  "an error that is no object": { does: (peer, id) => peer.send({ error: 1, id, v: 1 }), reason: /\(internal\)/ },
  "an answer and then bytes that answer nothing": {
    does: (peer, id) => peer.send(`${answer(id)}{"v`),
    reason: /\(bad_request\).*bytes that answer no question/,
  },
  "an answer and then junk": { does: (peer, id) => peer.send(`${answer(id)}junk\n`), reason: /\(bad_request\)/ },
  "two answers for one id": {
    does: (peer, id) => peer.send(answer(id) + answer(id, { verdict: 1 })),
    reason: /\(bad_request\).*no question/,
  },
  "a second hello": { does: (peer) => peer.send(helloAnswer()), reason: /\(bad_request\).*not hello/ },
  "a health answer": {
    does: (peer, id) => peer.send({ health: {}, id, v: 1 }),
    reason: /\(bad_request\)/,
  },
  "a line of more than 8 MiB": {
    does: (peer) => peer.send(Buffer.alloc(MAX_LINE + 1, "x")),
    reason: /\(too_large\).*response exceeded the frame limit/,
  },
};

for (const [name, { does, reason }] of Object.entries(misdeeds)) {
  test(`a daemon that answers with ${name} blocks the call`, async () => {
    const daemon = await scripted(async (peer) => {
      await welcome(peer);
      for (let frame = await peer.next(); frame !== null; frame = await peer.next()) does(peer, frame.id);
    });
    const engine = engineFor(daemon.path, { unreachable: "allow", onFallback: () => expect.unreachable() });
    const error = await engine.evaluate({ action: "refund", args: { amount: 5 } }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BlockedError);
    expect(error.decision).toEqual(Decision.block(error.decision.reason));
    expect(error.message).toBe(`blocked action 'refund': ${error.decision.reason}`);
    expect(error.decision.reason).toMatch(reason);
    expect(error.decision.reason).toContain(daemon.path);
    expect(engine.fallbacks).toBe(0);
  });
}

const badGreetings: Record<string, { line: string | Buffer; reason: RegExp }> = {
  "an answer to a question that was not asked": { line: answer(`op-${process.pid}-1`), reason: /\(bad_request\)/ },
  "bad JSON": { line: "hello there\n", reason: /\(bad_request\)/ },
  "an error other than bad_request": {
    line: `${JSON.stringify({ error: { code: "internal", message: "no" }, id: "h", v: 1 })}\n`,
    reason: /\(internal\)/,
  },
  "a bad_request about another frame": {
    line: `${JSON.stringify({ error: { code: "bad_request", message: "no" }, id: "x", v: 1 })}\n`,
    reason: /\(bad_request\)/,
  },
  "a hello to somebody else": {
    line: `${JSON.stringify({ ...helloAnswer(), id: "g" })}\n`,
    reason: /first answer is not to the hello/,
  },
  "a feature that was not offered": {
    line: `${JSON.stringify(helloAnswer([...everyFeature, "offline"]))}\n`,
    reason: /\(bad_request\).*not offered/,
  },
  "a hello in version 2": { line: `${JSON.stringify({ ...helloAnswer(), v: 2 })}\n`, reason: /\(bad_version\)/ },
  "a hello and an answer in one piece": {
    line: `${JSON.stringify(helloAnswer())}\n${answer(`op-${process.pid}-1`)}`,
    reason: /\(bad_request\).*no question/,
  },
  "a hello and half a line": { line: `${JSON.stringify(helloAnswer())}\n{`, reason: /\(bad_request\).*no question/ },
  "more than 8 MiB": { line: Buffer.alloc(MAX_LINE + 1, "x"), reason: /\(too_large\)/ },
};

for (const [name, { line, reason }] of Object.entries(badGreetings)) {
  test(`a daemon that answers the hello with ${name} blocks the call`, async () => {
    const daemon = await scripted(async (peer) => {
      await peer.line();
      peer.send(line);
    });
    const engine = engineFor(daemon.path, { unreachable: "allow" });
    expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(reason);
  });
}

test("a daemon that closes every connection before the hello is answered blocks the call after the grace", async () => {
  const daemon = await scripted((peer) => void peer.socket.end());
  const engine = engineFor(daemon.path, { grace_ms: 60, unreachable: "allow" });
  expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(
    /\(bad_response\).*daemon closed the connection/,
  );
  expect(daemon.peers.length).toBeGreaterThan(1);
});

test("no socket: unreachable, with the name of the error", async () => {
  const path = socketPath();
  const reason = await reasonOf(engineFor(path, { grace_ms: 0 }).evaluate({ action: "refund" }));
  expect(reason).toBe(`guard daemon unreachable at ${path}: Error: connect ENOENT ${path}`);
});

test("a socket that nobody serves: unreachable", async () => {
  const daemon = await scripted(() => {});
  const { path } = daemon;
  // A killed daemon leaves its socket behind; renaming keeps it where the server would remove it.
  const { renameSync } = await import("node:fs");
  renameSync(path, `${path}.old`);
  await daemon.stop();
  const reason = await reasonOf(engineFor(`${path}.old`, { grace_ms: 0 }).evaluate({ action: "refund" }));
  expect(reason).toMatch(/unreachable at .*: Error: connect ECONNREFUSED/);
});

test("a path that is no socket is refused at once, and is no absence", async () => {
  const path = socketPath();
  writeFileSync(path, "");
  expect(existsSync(path)).toBe(true);
  const engine = engineFor(`${path}/g.sock`, { unreachable: "allow", grace_ms: 30_000 });
  expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(/unreachable at .*ENOTDIR/);
});

test("no reply in time: blocked, also where absence is allowed", async () => {
  const daemon = await scripted((peer) => welcome(peer));
  const engine = engineFor(daemon.path, { timeout: 0.1, unreachable: "allow" });
  const reason = await reasonOf(engine.evaluate({ action: "refund" }));
  expect(reason).toBe(`guard daemon unreachable at ${daemon.path}: SocketTimeout: no reply within 0.1s`);
  expect(engine.stats.timeouts).toBe(1);
});

test("a hello that is never answered: blocked, also where absence is allowed", async () => {
  const daemon = await scripted(() => {});
  const engine = engineFor(daemon.path, { timeout: 0.1, unreachable: "allow" });
  expect(await reasonOf(engine.evaluate({ action: "refund" }))).toMatch(/SocketTimeout: no reply within 0.1s$/);
});

test("an anomaly condemns every question on the connection, and the next connection is a fresh start", async () => {
  const daemon = await scripted(async (peer, connection) => {
    await welcome(peer);
    const first = await peer.next();
    if (connection === 1) {
      await peer.next();
      peer.send(answer("someone-else"));
    } else {
      peer.send(answerTo(first.id));
    }
  });
  const engine = engineFor(daemon.path);
  const both = await Promise.all([
    reasonOf(engine.evaluate({ action: "a" })),
    reasonOf(engine.evaluate({ action: "b" })),
  ]);
  expect(both[0]).toMatch(/no question/);
  expect(both[1]).toBe(both[0]);
  expect((await engine.evaluate({ action: "c" })).verdictName).toBe("ALLOW");
});

test("an answer while nothing is asked drops the connection and harms no later call", async () => {
  const daemon = await scripted(async (peer, connection) => {
    await welcome(peer);
    const { id } = await peer.next();
    peer.send(answerTo(id));
    if (connection === 1) setTimeout(() => peer.send(answer(`op-${process.pid}-2`)), 20);
  });
  const engine = engineFor(daemon.path);
  await engine.evaluate({ action: "a" });
  await pause(60);
  expect(engine.stats.protocol).toBe("none");
  expect((await engine.evaluate({ action: "b" })).verdictName).toBe("ALLOW");
  expect(daemon.peers.length).toBe(2);
});

test("a late answer to a question that ran out of time is not taken for another's", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const slow = await peer.next();
    const quick = await peer.next();
    peer.send(answer(slow.id) + answer(quick.id, { verdict: 1, reason: "no" }));
  });
  const engine = engineFor(daemon.path, { timeout: 0.1 });
  expect(await reasonOf(engine.evaluate({ action: "slow" }))).toMatch(/SocketTimeout/);
  expect((await engine.evaluate({ action: "quick" })).verdictName).toBe("BLOCK");
  expect(daemon.peers.length).toBe(1);
});

test("a second late answer for the same id is an anomaly", async () => {
  const daemon = await scripted(async (peer) => {
    await welcome(peer);
    const slow = await peer.next();
    await peer.next();
    peer.send(answer(slow.id) + answer(slow.id));
  });
  const engine = engineFor(daemon.path, { timeout: 0.1 });
  await reasonOf(engine.evaluate({ action: "slow" }));
  expect(await reasonOf(engine.evaluate({ action: "next" }))).toMatch(/no question/);
});

test("a connection on which too many answers are overdue is given up", async () => {
  const daemon = await scripted(async (peer, connection) => {
    await welcome(peer);
    if (connection === 1) return;
    for (let frame = await peer.next(); frame !== null; frame = await peer.next()) peer.send(answerTo(frame.id));
  });
  const engine = engineFor(daemon.path, { timeout: 0.1 });
  const asked = Array.from({ length: 129 }, (_, i) => reasonOf(engine.evaluate({ action: "a", args: { i } })));
  expect(new Set(await Promise.all(asked)).size).toBe(1);
  expect((await engine.evaluate({ action: "b" })).verdictName).toBe("ALLOW");
  expect(daemon.peers.length).toBe(2);
});
