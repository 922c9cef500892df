import {
  allowed,
  asked,
  connect,
  everyFeature,
  exchange,
  frame,
  hello,
  helloed,
  receive,
  refused,
  request,
  send,
} from "./authoring.ts";
import type { Entry } from "./format.ts";

const timed = (id: string, ts: string): string =>
  `{"event":{"action":"clock","args":{},"ts":${ts}},"id":"${id}","v":1}`;

const who = (id: string, fields: string): string =>
  `{"event":{"action":"ping","args":{},${fields}},"id":"${id}","v":1}`;

/** Who acts, when, and on which side of the effect. */
export const identityEntries: readonly Entry[] = [
  asked(
    "span-id-crosses-the-wire",
    "The run's identity reaches the rules.",
    { action: "span", args: {}, span_id: "forbidden-span" },
    { verdict: "BLOCK", reason: "span is forbidden", policy_id: "p.span" },
  ),
  asked(
    "another-span-is-not-forbidden",
    "The control of the entry above.",
    { action: "span", args: {}, span_id: "span" },
    { verdict: "ALLOW" },
  ),
  asked(
    "the-callers-clock-is-not-judged-by",
    "A client could revive what has expired; a rule sees the daemon's clock.",
    { action: "clock", args: {}, ts: 1000 },
    { verdict: "ALLOW" },
  ),
  frame(
    "an-absent-ts-is-read",
    "The time is optional.",
    '{"event":{"action":"clock","args":{}},"id":"ts","v":1}',
    allowed("ts"),
  ),
  frame("a-ts-of-zero-is-read", "Zero is a time.", timed("ts", "0"), allowed("ts")),
  frame("a-ts-of-null-is-read", "Null is no time.", timed("ts", "null"), allowed("ts")),
  frame("a-negative-ts-is-read", "Before 1970 is a time.", timed("ts", "-1.5"), allowed("ts")),
  frame("a-ts-far-ahead-is-read-and-not-judged-by", "The year 33658 is a claim.", timed("ts", "1e12"), allowed("ts")),
  refused("a-ts-that-is-true-is-refused", "A boolean is not a number.", timed("ts", "true"), "ts"),
  refused("a-ts-that-is-text-is-refused", "A numeric string is not a number.", timed("ts", '"1"'), "ts"),
  refused(
    "a-ts-that-overflows-is-refused",
    "JSON has no Infinity, and 1e999 is one to a lenient parser.",
    timed("ts", "1e999"),
  ),
  refused(
    "a-phase-of-null-is-refused",
    "Null is not a phase; the daemon does not guess.",
    who("phase", '"phase":null'),
    "phase",
  ),
  refused("a-phase-that-is-a-list-is-refused", "Nor is a list of one.", who("phase", '"phase":["call"]'), "phase"),
  frame("an-absent-phase-is-call", "The default.", '{"event":{"action":"phase","args":{}},"id":"phase","v":1}', {
    answer: { id: "phase", verdict: "BLOCK", reason: "judged as a call", policy_id: "p.phase" },
  }),
  frame(
    "a-result-is-judged-by-result-rules-only",
    "No rule sees both sides.",
    '{"event":{"action":"phase","args":{},"phase":"result"},"id":"phase","v":1}',
    { answer: { id: "phase", verdict: "BLOCK", reason: "judged as a result", policy_id: "p.phase" } },
  ),
  frame(
    "identity-fields-of-null-are-read",
    "Null is how a client says that it does not know.",
    who("who", '"parent_principal":null,"principal":null,"span_id":null'),
    allowed("who"),
  ),
  refused("a-principal-that-is-a-number-is-refused", "A name is text.", who("who", '"principal":7'), "who"),
  refused(
    "a-parent-that-is-a-list-is-refused",
    "A name is text.",
    who("who", '"parent_principal":["root-agent"]'),
    "who",
  ),
  refused("a-span-that-is-an-object-is-refused", "A name is text.", who("who", '"span_id":{}'), "who"),
  refused(
    "a-call-id-without-the-feature-is-refused",
    "It was not negotiated, so it is an unknown key, and unknown keys are refused.",
    who("call", '"call_id":"c-1"'),
    "call",
  ),
  exchange("a-call-id-with-the-feature-is-read", "Negotiated, it is a key like the others.", [
    connect(),
    send(hello("h", everyFeature)),
    receive([helloed("h")]),
    send(request("call", '{"action":"ping","args":{},"call_id":"c-1"}')),
    receive([{ like: { id: "call", verdict: 0 } }]),
    send(request("empty", '{"action":"ping","args":{},"call_id":""}')),
    receive([{ error: "bad_request", id: "empty" }]),
  ]),
];
