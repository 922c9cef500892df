import { describe, expect, test } from "vitest";
import { Decision } from "../../../client-node/decision.ts";
import { answer, notification, relayed, request, text } from "../testing/relayed.ts";

describe("what is not judged goes through as it came", () => {
  test("requests, answers and notifications, either way, byte for byte", async () => {
    const { host, server } = await relayed();
    const odd =
      '{"jsonrpc":"2.0", "id":"a-1","method":"vendor/x","params":{"n":1.0,"_meta":{"progressToken":7,"x":{}}},"extra":[1]}';
    host.send(odd);
    expect(await server.line()).toBe(odd);
    const reply = '{"id":"a-1","jsonrpc":"2.0","result":{"ü":"\\u00fc","e":1e2}}';
    server.send(reply);
    expect(await host.line()).toBe(reply);
    for (const line of [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/roots/list_changed", "params":{}}',
    ]) {
      host.send(line);
      expect(await server.line()).toBe(line);
    }
    for (const line of [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.5}}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"a":null}}}',
      '{"jsonrpc":"2.0","method":"notifications/vendor/unknown"}',
    ]) {
      server.send(line);
      expect(await host.line()).toBe(line);
    }
  });

  test("requests of the server, and the host's answers to them", async () => {
    const { host, server } = await relayed();
    server.send(request(1, "roots/list"));
    expect(await host.next()).toEqual(request(1, "roots/list"));
    host.send(answer(1, { roots: [] }));
    expect(await server.next()).toEqual(answer(1, { roots: [] }));
  });

  test('ids are the senders\' own: 1 and "1" are two, and both sides may use the same', async () => {
    const { host, server } = await relayed();
    host.send(request(1, "ping"));
    host.send(request("1", "ping"));
    server.send(request(1, "ping"));
    expect([await server.next(), await server.next()]).toEqual([request(1, "ping"), request("1", "ping")]);
    expect(await host.next()).toEqual(request(1, "ping"));
    server.send(answer("1", { b: 1 }));
    server.send(answer(1, { a: 1 }));
    host.send(answer(1, { c: 1 }));
    expect([await host.next(), await host.next()]).toEqual([answer("1", { b: 1 }), answer(1, { a: 1 })]);
    expect(await server.next()).toEqual(answer(1, { c: 1 }));
  });
});

describe("cancellation", () => {
  test("of a call that the server has reaches it, and its late answer nobody", async () => {
    const { host, server, told } = await relayed();
    host.send(request(5, "tools/call", { name: "slow" }));
    expect(await server.next()).toMatchObject({ id: 5 });
    const cancel = notification("notifications/cancelled", { requestId: 5, reason: "enough" });
    host.send(cancel);
    expect(await server.next()).toEqual(cancel);
    server.send(answer(5, text("late")));
    expect(await host.isQuiet()).toBe(true);
    expect(told).toEqual([]);
  });

  test("of a call that waits for its verdict keeps it from running, and the server hears of neither", async () => {
    let decide = (_decision: Decision): void => {};
    const { host, server } = await relayed(() => new Promise((resolve) => (decide = resolve)));
    host.send(request(5, "tools/call", { name: "slow" }));
    await host.isQuiet(20);
    host.send(notification("notifications/cancelled", { requestId: 5 }));
    await host.isQuiet(20);
    decide(Decision.allow());
    expect(await server.isQuiet()).toBe(true);
    expect(await host.isQuiet()).toBe(true);
  });

  test("of a request of the server's reaches the host", async () => {
    const { host, server, told } = await relayed();
    server.send(request("s", "roots/list"));
    await host.next();
    server.send(notification("notifications/cancelled", { requestId: "s" }));
    expect(await host.next()).toEqual(notification("notifications/cancelled", { requestId: "s" }));
    host.send(answer("s", { roots: [] }));
    expect(await server.isQuiet()).toBe(true);
    expect(told).toEqual([]);
  });
});

describe("a batch (2025-03-26)", () => {
  test("is answered by one, when the last of its requests is", async () => {
    const { host, server, engine } = await relayed();
    host.send([request(1, "ping"), notification("notifications/x"), request(2, "tools/call", { name: "t" }), 7]);
    const seen = [await server.next(), await server.next(), await server.next()];
    expect(seen.map(({ method }) => method).sort()).toEqual(["notifications/x", "ping", "tools/call"]);
    server.send([answer(2, text("b")), answer(1, {})]);
    const batch = await host.next();
    expect(batch).toHaveLength(2);
    expect(batch).toEqual(expect.arrayContaining([answer(1, {}), answer(2, text("b"))]));
    expect(engine.events.map(({ phase }) => phase)).toEqual(["call", "result"]);
  });

  test("of nothing, or of too many, is refused", async () => {
    const { host } = await relayed();
    host.send("[]");
    host.send(Array.from({ length: 257 }, (_, id) => request(id, "ping")));
    expect(await host.isQuiet()).toBe(true);
  });
});

describe("a hostile server", () => {
  test("its answers to what nobody asked, and second answers, reach nobody", async () => {
    const { host, server, told } = await relayed();
    server.send(answer(99, text("unasked")));
    host.send(request(1, "tools/call", { name: "t" }));
    await server.next();
    server.send(answer(1, text("first")));
    server.send(answer(1, text("second")));
    expect(await host.next()).toEqual(answer(1, text("first")));
    expect(await host.isQuiet()).toBe(true);
    expect(told).toEqual(Array(2).fill("interlock mcp: the server answered a request that is not open\n"));
  });

  test("an answer with a key twice, a number that no double holds, or a result and an error is none", async () => {
    const { host, server } = await relayed();
    const bad = [
      '{"jsonrpc":"2.0","id":1,"result":{"content":[]},"result":{"content":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}',
      '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}',
    ];
    for (const line of bad) {
      host.send(request(1, "tools/call", { name: "t" }));
      await server.next();
      server.send(line);
      const { result } = await host.next();
      expect(result).toMatchObject({ isError: true, _meta: { "interlock/blocked": { code: "not_a_message" } } });
    }
  });

  test("junk is named, a few times, and passed on never", async () => {
    const { host, server, told } = await relayed();
    for (let i = 0; i < 20; i++) server.send("Listening on port 3000");
    server.send(notification("notifications/message", { level: "info" }));
    expect(await host.next()).toMatchObject({ method: "notifications/message" });
    expect(told).toHaveLength(5);
    expect(told[0]).toBe("interlock mcp: what the server sent is not passed on: it is not valid JSON: syntax error\n");
    expect(told[4]).toMatch(/only counted/);
    expect(told.join("")).not.toContain("3000");
  });

  test("that ends in the middle of a call: the host is told", async () => {
    const { host, server } = await relayed();
    host.send(request(1, "tools/call", { name: "t" }));
    await server.next();
    server.end();
    expect(await host.next()).toMatchObject({ id: 1, error: { message: "the server ended before it answered" } });
    host.send(request(2, "ping"));
    expect(await host.next()).toMatchObject({ id: 2, error: { message: "the server has ended" } });
  });
});

describe("a host", () => {
  test("that sends what is no message is told by its id, and the server sees none of it", async () => {
    const { host, server } = await relayed();
    for (const [line, words] of [
      ['{"jsonrpc":"2.0","id":3,"method":"tools/call","method":"ping"}', /a key twice/],
      ['{"jsonrpc":"1.0","id":3,"method":"ping"}', /JSON-RPC 2\.0/],
      ['{"jsonrpc":"2.0","id":3,"method":7}', /not a string/],
      ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[1]}', /not an object/],
    ] as const) {
      host.send(line);
      expect(await host.next()).toMatchObject({
        id: 3,
        error: { code: -32600, message: expect.stringMatching(words) },
      });
    }
    expect(await server.isQuiet()).toBe(true);
  });

  test("that uses an id twice at once is refused the second", async () => {
    const { host, server } = await relayed();
    host.send(request(1, "a/b"));
    host.send(request(1, "c/d"));
    expect(await host.next()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(await server.next()).toEqual(request(1, "a/b"));
    expect(await server.isQuiet()).toBe(true);
  });

  test("with too many open requests is refused one more", async () => {
    const { host } = await relayed();
    for (let id = 0; id <= 1024; id++) host.send(request(id, "vendor/wait"));
    expect(await host.next()).toMatchObject({ id: 1024, error: { message: "too many requests are under way" } });
  });
});
