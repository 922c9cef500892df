import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WireError } from "./errors.ts";
import { allFeatures, type FeatureSet, featureSet, noFeatures } from "./features.ts";
import { parseRequest } from "./request.ts";
import { eventFrame } from "./request-frame.ts";

const parse = (text: string, features: FeatureSet = noFeatures) => parseRequest(Buffer.from(text), features);
const refusal = (text: string, features: FeatureSet = noFeatures): WireError => {
  try {
    parse(text, features);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("was accepted");
};
const event = (body: string): string => `{"event":${body},"id":"r1","v":1}`;

describe("an event", () => {
  test("with only what is required", () => {
    expect(parse(event('{"action":"ping","args":{}}'))).toEqual({
      kind: "event",
      id: "r1",
      event: {
        action: "ping",
        args: {},
        phase: "call",
        principal: null,
        span_id: null,
        parent_principal: null,
        ts: null,
        call_id: null,
      },
      argsJson: {},
      grade: null,
      server: null,
    });
  });

  test("with everything, keys in any order, white space and a newline", () => {
    const text =
      ' {"v":1,"id":"r1","event":{"ts":1764478123.5,"phase":"result","call_id":"c1","span_id":"s","parent_principal":"pp",' +
      '"principal":"p","args":{"b":{"__interlock__":"bytes","b64":"AAH/"}},"action":"read"}}\n';
    const request = parse(text, allFeatures);
    expect(request).toMatchObject({
      event: {
        action: "read",
        phase: "result",
        principal: "p",
        span_id: "s",
        parent_principal: "pp",
        ts: 1764478123.5,
      },
      argsJson: { b: { __interlock__: "bytes", b64: "AAH/" } },
    });
    if (request.kind !== "event") throw new Error("not an event");
    expect(request.event.args.b).toEqual(new Uint8Array([0, 1, 255]));
    expect(request.event.call_id).toBe("c1");
    expect(Object.isFrozen(request.event)).toBe(true);
  });

  test("null identity fields and a null ts are absent ones", () => {
    const text = event('{"action":"a","args":{},"principal":null,"span_id":null,"parent_principal":null,"ts":null}');
    expect(parse(text)).toMatchObject({ event: { principal: null, span_id: null, parent_principal: null, ts: null } });
  });

  test("args without envelopes are the parsed objects themselves", () => {
    const request = parse(event('{"action":"a","args":{"x":[1]}}'));
    if (request.kind !== "event") throw new Error("not an event");
    expect(request.event.args).toBe(request.argsJson);
  });

  test("an argument named __proto__ arrives", () => {
    const request = parse(event('{"action":"a","args":{"__proto__":{"x":1}}}'));
    if (request.kind !== "event") throw new Error("not an event");
    expect(Object.keys(request.event.args)).toEqual(["__proto__"]);
  });

  test("a look-alike is escaped only with the feature", () => {
    const text = event('{"action":"a","args":{"x":{"__interlock__":"=bytes","b64":"*"}}}');
    expect(parse(text)).toMatchObject({ event: { args: { x: { __interlock__: "=bytes" } } } });
    expect(parse(text, allFeatures)).toMatchObject({ event: { args: { x: { __interlock__: "bytes", b64: "*" } } } });
  });
});

describe("refused requests: code, message, id", () => {
  const ok = '{"action":"a","args":{}}';
  test.each<[string, string, string, string, string]>([
    ["not JSON", '{"v":1,"id":"n-json","event":', "bad_request", "frame is not valid JSON: syntax error", ""],
    ["an empty line", "", "bad_request", "frame is not valid JSON: syntax error", ""],
    ["an array", "[]", "bad_request", "frame must be a JSON object", ""],
    ["null", "null", "bad_request", "frame must be a JSON object", ""],
    [
      "a duplicate id",
      `{"event":${ok},"id":"a","id":"b","v":1}`,
      "bad_request",
      "frame is not valid JSON: an object holds a key twice",
      "",
    ],
    ["version 2", `{"event":${ok},"id":"r1","v":2}`, "bad_version", "unsupported protocol version 2 (expected 1)", ""],
    [
      "version true",
      `{"event":${ok},"id":"r1","v":true}`,
      "bad_version",
      "unsupported protocol version true (expected 1)",
      "",
    ],
    [
      "version as text",
      `{"event":${ok},"id":"r1","v":"1"}`,
      "bad_version",
      "unsupported protocol version (a string) (expected 1)",
      "",
    ],
    ["no version", `{"event":${ok},"id":"r1"}`, "bad_version", "unsupported protocol version (none) (expected 1)", ""],
    [
      "version before id",
      `{"event":${ok},"id":"","v":2}`,
      "bad_version",
      "unsupported protocol version 2 (expected 1)",
      "",
    ],
    [
      "an unknown key",
      `{"event":${ok},"id":"r1","v":1,"z":1,"b":2}`,
      "bad_request",
      "unknown request key(s): b, z",
      "r1",
    ],
    [
      "an unknown key that would break the line",
      `{"event":${ok},"id":"r1","v":1,"a\\nb":1}`,
      "bad_request",
      "unknown request key(s): <3 characters>",
      "r1",
    ],
    [
      "__proto__ as a key",
      `{"event":${ok},"id":"r1","v":1,"__proto__":{}}`,
      "bad_request",
      "unknown request key(s): __proto__",
      "r1",
    ],
    ["an empty id", `{"event":${ok},"id":"","v":1}`, "bad_request", "id must be a non-empty string", ""],
    ["no id", `{"event":${ok},"v":1}`, "bad_request", "id must be a non-empty string", ""],
    ["a number as id", `{"event":${ok},"id":1,"v":1}`, "bad_request", "id must be a non-empty string", ""],
    [
      "an id of 257 bytes",
      `{"event":${ok},"id":"${"x".repeat(257)}","v":1}`,
      "bad_request",
      "id must be at most 256 bytes",
      "",
    ],
    [
      "an id of 258 bytes in 86 characters",
      `{"event":${ok},"id":"${"\u20ac".repeat(86)}","v":1}`,
      "bad_request",
      "id must be at most 256 bytes",
      "",
    ],
    ["no body", '{"id":"r1","v":1}', "bad_request", "event must be a JSON object", "r1"],
    [
      "two bodies",
      `{"event":${ok},"health":{},"id":"r1","v":1}`,
      "bad_request",
      "a frame holds exactly one body, not 2",
      "r1",
    ],
    ["an event that is an array", event("[]"), "bad_request", "event must be a JSON object", "r1"],
    ["an event that is null", event("null"), "bad_request", "event must be a JSON object", "r1"],
    ["a misspelled args", event('{"action":"a","arg":{}}'), "bad_request", "unknown event key(s): arg", "r1"],
    [
      "call_id without the feature",
      event('{"action":"a","args":{},"call_id":"c"}'),
      "bad_request",
      "unknown event key(s): call_id",
      "r1",
    ],
    ["no action", event('{"args":{}}'), "bad_request", "event.action must be a non-empty string", "r1"],
    [
      "an empty action",
      event('{"action":"","args":{}}'),
      "bad_request",
      "event.action must be a non-empty string",
      "r1",
    ],
    [
      "a number as action",
      event('{"action":1,"args":{}}'),
      "bad_request",
      "event.action must be a non-empty string",
      "r1",
    ],
    [
      "an action of 1025 bytes",
      event(`{"action":"${"x".repeat(1025)}","args":{}}`),
      "bad_request",
      "event.action must be at most 1024 bytes",
      "r1",
    ],
    ["no args", event('{"action":"a"}'), "bad_request", "event.args is required", "r1"],
    ["args as an array", event('{"action":"a","args":[]}'), "bad_request", "event.args must be a JSON object", "r1"],
    ["args as null", event('{"action":"a","args":null}'), "bad_request", "event.args must be a JSON object", "r1"],
    [
      "args that are bytes",
      event('{"action":"a","args":{"__interlock__":"bytes","b64":""}}'),
      "bad_request",
      "event.args must be a JSON object",
      "r1",
    ],
    [
      "bad base64 in args",
      event('{"action":"a","args":{"x":{"__interlock__":"bytes","b64":"*"}}}'),
      "bad_request",
      "event.args: encoded bytes must be standard base64 with padding",
      "r1",
    ],
    [
      "an upper-case phase",
      event('{"action":"a","args":{},"phase":"Result"}'),
      "bad_request",
      "event.phase must be one of call, result",
      "r1",
    ],
    [
      "a null phase",
      event('{"action":"a","args":{},"phase":null}'),
      "bad_request",
      "event.phase must be one of call, result",
      "r1",
    ],
    ["ts as text", event('{"action":"a","args":{},"ts":"1"}'), "bad_request", "event.ts must be a number", "r1"],
    ["ts true", event('{"action":"a","args":{},"ts":true}'), "bad_request", "event.ts must be a number", "r1"],
    [
      "ts that is not finite",
      event('{"action":"a","args":{},"ts":1e999}'),
      "bad_request",
      "frame is not valid JSON: a number that overflows",
      "",
    ],
    [
      "a number as principal",
      event('{"action":"a","args":{},"principal":1}'),
      "bad_request",
      "principal must be a string or null",
      "r1",
    ],
    [
      "an array as span_id",
      event('{"action":"a","args":{},"span_id":[]}'),
      "bad_request",
      "span_id must be a string or null",
      "r1",
    ],
    [
      "false as parent_principal",
      event('{"action":"a","args":{},"parent_principal":false}'),
      "bad_request",
      "parent_principal must be a string or null",
      "r1",
    ],
    [
      "a principal of 1025 bytes",
      event(`{"action":"a","args":{},"principal":"${"x".repeat(1025)}"}`),
      "bad_request",
      "principal must be at most 1024 bytes",
      "r1",
    ],
    [
      "a surface without the feature",
      '{"id":"r1","surface":{"server":"s"},"v":1}',
      "bad_request",
      "surface needs the feature surface, which was not negotiated",
      "r1",
    ],
    [
      "an outcome without the feature",
      '{"id":"r1","outcome":{"call_id":"c","status":"failed"},"v":1}',
      "bad_request",
      "outcome needs the feature call_id, which was not negotiated",
      "r1",
    ],
    [
      "a resume without the feature",
      '{"id":"r1","resume":{"approval_id":"a","call_id":"c"},"v":1}',
      "bad_request",
      "resume needs the feature call_id, which was not negotiated",
      "r1",
    ],
  ])("%s", (_name, text, code, message, id) => {
    const error = refusal(text);
    expect({ code: error.code, message: error.message, id: error.id }).toEqual({ code, message, id });
  });

  test("a missing argument is not supplied by a polluted Object.prototype", () => {
    const polluted = Object.prototype as { args?: unknown };
    polluted.args = {};
    try {
      expect(refusal(event('{"action":"a"}')).message).toBe("event.args is required");
    } finally {
      delete polluted.args;
    }
  });

  test("an empty or null call_id with the feature", () => {
    expect(refusal(event('{"action":"a","args":{},"call_id":""}'), allFeatures).message).toBe(
      "event.call_id must be a non-empty string",
    );
    expect(parse(event('{"action":"a","args":{},"call_id":null}'), allFeatures)).toMatchObject({
      event: { call_id: null },
    });
  });
});

describe("hello", () => {
  const hello = (body: string): string => `{"hello":${body},"id":"h","v":1}`;
  const nonce = "abcdefghijklmnopqrstuv";

  test("with everything; features that are not known are ignored", () => {
    const text = hello(`{"client":"c/1","features":["resend","later","details"],"nonce":"${nonce}","token":"t"}`);
    expect(parse(text)).toEqual({
      kind: "hello",
      id: "h",
      hello: { client: "c/1", features: featureSet(["resend", "details"]), nonce, scope: null, token: "t" },
    });
  });

  test("with only what is required", () => {
    expect(parse(hello('{"client":"c","features":[]}'))).toMatchObject({
      hello: { nonce: null, scope: null, token: null },
    });
  });

  test.each([
    ["not an object", "[]", "hello must be a JSON object"],
    ["an unknown key", '{"client":"c","features":[],"x":1}', "unknown hello key(s): x"],
    ["no client", '{"features":[]}', "hello.client must be a non-empty string"],
    ["no features", '{"client":"c"}', "hello.features must be an array of strings"],
    ["a feature that is no string", '{"client":"c","features":[1]}', "hello.features must be an array of strings"],
    [
      "65 features",
      `{"client":"c","features":[${Array(65).fill('"x"').join(",")}]}`,
      "hello.features must hold at most 64 names",
    ],
    [
      "a feature of 65 bytes",
      `{"client":"c","features":["${"x".repeat(65)}"]}`,
      "hello.features holds a name of more than 64 bytes",
    ],
    ["a null nonce", '{"client":"c","features":[],"nonce":null}', "hello.nonce must be a non-empty string"],
    ["a short nonce", '{"client":"c","features":[],"nonce":"short"}', "hello.nonce must be at least 16 characters"],
    [
      "a nonce of 129 bytes",
      `{"client":"c","features":[],"nonce":"${"x".repeat(129)}"}`,
      "hello.nonce must be at most 128 bytes",
    ],
    [
      "a nonce with a space",
      '{"client":"c","features":[],"nonce":"abcdefgh ijklmnopq"}',
      "hello.nonce must be printable ASCII without spaces",
    ],
    [
      "the feature scope without a pin",
      '{"client":"c","features":["scope"]}',
      "hello.scope is required with the feature scope",
    ],
    [
      "a pin without the feature",
      `{"client":"c","features":[],"scope":"sha256:${"a".repeat(64)}"}`,
      "hello.scope needs the feature scope",
    ],
    [
      "a pin that is none",
      `{"client":"c","features":["scope"],"scope":"sha256:${"A".repeat(64)}"}`,
      "hello.scope must be sha256: and 64 hex digits",
    ],
    [
      "resend without a nonce",
      '{"client":"c","features":["resend"]}',
      "hello.nonce is required with the feature resend",
    ],
  ])("refuses %s", (_name, body, message) => {
    expect(refusal(hello(body))).toMatchObject({ code: "bad_request", message, id: "h" });
  });

  test.each([
    ["an empty token", '""'],
    ["a token of 8193 bytes", `"${"x".repeat(8193)}"`],
    ["a token that is no text", "7"],
    ["a token of null", "null"],
  ])("refuses %s by the code of a token, so that no client takes it for version 1", (_name, token) => {
    expect(refusal(hello(`{"client":"c","features":[],"token":${token}}`))).toMatchObject({
      code: "token_malformed",
      message: "hello.token must be text of 1 to 8192 bytes",
      id: "h",
    });
  });
});

describe("the other bodies", () => {
  test("surface: what was not listed is null, an empty list is empty", () => {
    const text = '{"id":"s","surface":{"server":"fs","tools":[{"name":"read"}],"prompts":[]},"v":1}';
    expect(parse(text, allFeatures)).toEqual({
      kind: "surface",
      id: "s",
      surface: {
        server: "fs",
        credential: null,
        tools: [{ name: "read" }],
        prompts: [],
        resources: null,
        resource_templates: null,
        instructions: null,
        identity: null,
        ttl_ms: null,
      },
    });
  });

  test("surface: who runs, for whom, and for how long it holds", () => {
    const identity = {
      kind: "stdio",
      command: "npx",
      args: `sha256:${"a".repeat(64)}`,
      package: { registry: "https://registry.npmjs.org", name: "fs", version: "1.0.0" },
    };
    const body = {
      server: "fs",
      credential: `sha256:${"b".repeat(64)}`,
      identity,
      ttl_ms: 1e12,
      resource_templates: [1],
    };
    expect(parse(JSON.stringify({ id: "s", surface: body, v: 1 }), allFeatures)).toMatchObject({
      surface: {
        credential: body.credential,
        resource_templates: [1],
        // Never longer than a day.
        ttl_ms: 86_400_000,
        identity: { ...identity, executable: null, package: { ...identity.package, integrity: null } },
      },
    });
    const remote = { kind: "http", url: "https://mcp.example/a", tls_key: null };
    const text = JSON.stringify({ id: "s", surface: { server: "fs", identity: remote }, v: 1 });
    expect(parse(text, allFeatures)).toMatchObject({ surface: { identity: remote } });
  });

  test("an event names its server only with the feature, a credential only with its server", () => {
    const text = event('{"action":"a","args":{},"server":"fs"}');
    expect(parse(text, allFeatures)).toMatchObject({ server: { server: "fs", credential: null } });
    expect(refusal(text).message).toBe("unknown event key(s): server");
    const alone = event(`{"action":"a","args":{},"credential":"sha256:${"a".repeat(64)}"}`);
    expect(refusal(alone, allFeatures).message).toBe("event.server must be a non-empty string");
    const short = event('{"action":"a","args":{},"server":"fs","credential":"sha256:a"}');
    expect(refusal(short, allFeatures).message).toBe("event.credential must be sha256: and 64 hex digits");
  });

  test("outcome, resume and health", () => {
    expect(
      parse('{"id":"o","outcome":{"call_id":"c","status":"failed","error_type":"TypeError"},"v":1}', allFeatures),
    ).toEqual({
      kind: "outcome",
      id: "o",
      outcome: { call_id: "c", status: "failed", error_type: "TypeError" },
    });
    expect(parse('{"id":"r","resume":{"approval_id":"a","call_id":"c"},"v":1}', allFeatures)).toEqual({
      kind: "resume",
      id: "r",
      resume: { approval_id: "a", call_id: "c", action: null },
    });
    const named = '{"id":"r","resume":{"action":"refund","approval_id":"a","call_id":"c"},"v":1}';
    expect(parse(named, allFeatures)).toMatchObject({
      resume: { approval_id: "a", call_id: "c", action: "refund" },
    });
    expect(parse('{"health":{},"id":"h","v":1}')).toEqual({ kind: "health", id: "h" });
  });

  test.each([
    ["a surface without its server", '"surface":{}', "surface.server must be a non-empty string"],
    ["a surface with an unknown key", '"surface":{"server":"s","x":1}', "unknown surface key(s): x"],
    ["tools that are no array", '"surface":{"server":"s","tools":{}}', "surface.tools must be an array"],
    ["null tools", '"surface":{"server":"s","tools":null}', "surface.tools must be an array"],
    [
      "instructions that are no string",
      '"surface":{"server":"s","instructions":1}',
      "surface.instructions must be a string",
    ],
    [
      "a digest that is none",
      '"surface":{"server":"s","credential":"abc"}',
      "surface.credential must be sha256: and 64 hex digits",
    ],
    ["a time that is none", '"surface":{"server":"s","ttl_ms":-1}', "surface.ttl_ms must be a whole number"],
    [
      "an identity of no kind",
      '"surface":{"server":"s","identity":{"kind":"ssh"}}',
      "surface.identity.kind must be one of http, stdio",
    ],
    [
      "a command without the digest of its arguments",
      '"surface":{"server":"s","identity":{"kind":"stdio","command":"x"}}',
      "surface.identity.args must be sha256: and 64 hex digits",
    ],
    [
      "a URL with a secret in it",
      '"surface":{"server":"s","identity":{"kind":"http","url":"https://u:p@h/"}}',
      "surface.identity.url must have no user information, query or fragment",
    ],
    [
      "a URL of another scheme",
      '"surface":{"server":"s","identity":{"kind":"http","url":"file:///x"}}',
      "surface.identity.url must be an http or https URL",
    ],
    ["a surface that is no object", '"surface":[]', "surface must be a JSON object"],
    [
      "an outcome of another status",
      '"outcome":{"call_id":"c","status":"executed"}',
      "outcome.status must be one of abandoned, failed",
    ],
    ["an outcome without call_id", '"outcome":{"status":"failed"}', "outcome.call_id must be a non-empty string"],
    [
      "an outcome with an unknown key",
      '"outcome":{"call_id":"c","status":"failed","message":"x"}',
      "unknown outcome key(s): message",
    ],
    [
      "an outcome with an empty error_type",
      '"outcome":{"call_id":"c","status":"failed","error_type":""}',
      "outcome.error_type must be a non-empty string",
    ],
    ["a resume without approval_id", '"resume":{"call_id":"c"}', "resume.approval_id must be a non-empty string"],
    ["a resume without call_id", '"resume":{"approval_id":"a"}', "resume.call_id must be a non-empty string"],
    [
      "a resume of an action without a name",
      '"resume":{"action":"","approval_id":"a","call_id":"c"}',
      "resume.action must be a non-empty string",
    ],
    ["a resume with an unknown key", '"resume":{"approval_id":"a","call_id":"c","x":1}', "unknown resume key(s): x"],
    ["health with a key", '"health":{"x":1}', "unknown health key(s): x"],
    ["health that is no object", '"health":true', "health must be a JSON object"],
  ])("refuses %s", (_name, body, message) => {
    expect(refusal(`{${body},"id":"r1","v":1}`, allFeatures)).toMatchObject({ code: "bad_request", message, id: "r1" });
  });
});

describe("properties", () => {
  test("what the client encodes, the daemon parses to the same event", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    const scalars = fc.oneof(
      name,
      fc.maxSafeInteger().filter((n) => n !== 0),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 9 }),
    );
    const events = fc.record({
      action: name,
      args: fc.dictionary(fc.oneof(name, fc.constantFrom("__proto__", "10", "2")), scalars),
      phase: fc.constantFrom("call" as const, "result" as const),
      principal: fc.option(name),
      span_id: fc.option(name),
      parent_principal: fc.option(name),
      ts: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1, max: 1e10 })),
      call_id: fc.option(name),
    });
    fc.assert(
      fc.property(events, fc.constantFrom(noFeatures, allFeatures), (sent, features) => {
        const request = parseRequest(Buffer.from(eventFrame("r1", sent, features)), features);
        if (request.kind !== "event") throw new Error("not an event");
        expect(request.event).toEqual({
          ...sent,
          args: request.event.args,
          call_id: features.call_id ? sent.call_id : null,
        });
        expect(Object.entries(request.event.args).sort()).toEqual(Object.entries(sent.args).sort());
      }),
      { numRuns: 1000 },
    );
  });

  test("a mutated frame is a request or a WireError, never anything else", () => {
    const text = event('{"action":"ping","args":{"a":[1,"x"]},"phase":"call","principal":"p","ts":1.5}');
    const mutation = fc.tuple(fc.nat(text.length), fc.nat(3), fc.string({ unit: "binary-ascii", maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        let mutated = text;
        for (const [at, drop, put] of mutations) mutated = mutated.slice(0, at) + put + mutated.slice(at + drop);
        try {
          expect(parse(mutated).id.length).toBeGreaterThan(0);
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          expect(["bad_request", "bad_version"]).toContain(error.code);
          expect(error.message).not.toContain("\n");
        }
      }),
      { numRuns: 3000 },
    );
  });
});
