import { describe, expect, test } from "vitest";
import { parseOperatorRequest } from "./request.ts";

const server = { server: "orders", credential: null };
const hash = `sha256:${"a".repeat(64)}`;
const item = { kind: "tool", name: "status" };
const read = (ask: string, with_: object) =>
  parseOperatorRequest(Buffer.from(JSON.stringify({ ask, id: "1", token: "t", v: 1, with: with_ }))).ask;

describe("what an operator asks of MCP servers", () => {
  test.each<[ask: string, with_: object]>([
    ["servers.list", {}],
    ["servers.show", { server }],
    ["servers.export", { server, from: 7 }],
    ["servers.trust", { server, environment: "non_production", probes: true }],
    ["servers.remove", { server, reason: "left us" }],
    ["drift.list", { server: null }],
    ["drift.list", { server: { server: "orders", credential: hash } }],
    ["drift.show", { server, item }],
    ["drift.show", { server, item: { kind: "instructions", name: "" } }],
    ["drift.approve", { server, item, hash }],
    ["drift.approve", { server, item, hash: null }],
    ["drift.quarantine", { server, item, reason: "look at it" }],
    ["drift.rebaseline", { server, current: null, candidate: hash }],
    ["drift.history", { server }],
  ])("%s %j is read", (ask, with_) => {
    expect(read(ask, with_)).toEqual({ kind: ask, ...with_ });
  });

  test.each<[ask: string, with_: object, message: string]>([
    ["servers.show", {}, "with.server must be"],
    ["servers.show", { server: { server: "" } }, "with.server.server must be"],
    ["servers.show", { server: { ...server, version: 1 } }, "unknown with.server key(s)"],
    ["servers.trust", { server, environment: "test", probes: true }, "with.environment must be one of"],
    ["servers.trust", { server, environment: "production", probes: "yes" }, "with.probes must be true or false"],
    ["servers.export", { server, from: -1 }, "with.from"],
    ["drift.show", { server, item: { kind: "toString", name: "x" } }, "with.item.kind must be one of"],
    ["drift.show", { server, item: { kind: "tool", name: "" } }, "with.item.name must be"],
    ["drift.show", { server, item: { kind: "instructions", name: "x" } }, "with.item.name of instructions"],
    ["drift.approve", { server, item }, "with.hash must be"],
    ["drift.approve", { server, item, hash: "abc" }, "with.hash must be"],
    ["drift.rebaseline", { server, current: hash, candidate: null }, "with.candidate must be"],
    ["drift.list", { server: null, limit: 3 }, "unknown with key(s)"],
  ])("%s %j is refused", (ask, with_, message) => {
    expect(() => read(ask, with_)).toThrow(message);
  });
});
