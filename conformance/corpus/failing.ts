import {
  allowed,
  asked,
  connect,
  exchange,
  frame,
  fresh,
  hello,
  helloed,
  ping,
  receive,
  request,
  send,
} from "./authoring.ts";
import type { Entry } from "./format.ts";

const looping = (id: string): string =>
  request(id, `{"action":"loop","args":{"armed":true,"once":"${fresh("loop")}"}}`);

const token = "tok_5f3a9c";

const broken = (name: string, note: string, action: string, extra = ""): Entry =>
  frame(
    name,
    note,
    request("broken", `{"action":"${action}","args":{"armed":true,"token":"${token}"}${extra}}`).trimEnd(),
    {
      answer: {
        id: "broken",
        verdict: "BLOCK",
        reason_contains: [`conformance.${action.replaceAll("_", "-")}`],
        policy_id: `conformance.${action.replaceAll("_", "-")}`,
      },
      never_contains: [token, "message with", "text with"],
    },
  );

const junk = (name: string, note: string, answer: string): Entry =>
  frame(
    name,
    note,
    request("junk", `{"action":"junk_answer","args":{"answer":${JSON.stringify(answer)},"armed":true}}`).trimEnd(),
    {
      answer: {
        id: "junk",
        verdict: "BLOCK",
        reason_contains: ["conformance.junk-answer"],
        policy_id: "conformance.junk-answer",
      },
    },
  );

/** Rules that break, and reasons that say too much. Whatever a rule does, its caller is blocked and nobody else notices. */
export const failingEntries: readonly Entry[] = [
  broken("a-rule-that-throws-blocks", "The block names the rule and the error's type, never its message.", "raise"),
  broken("an-async-rule-that-throws-blocks", "The same after an await.", "raise_async"),
  broken("a-rule-that-throws-text-blocks", "What is thrown need not be an error.", "raise_text"),
  broken(
    "a-result-rule-that-throws-blocks",
    "The same on the other side of the effect.",
    "raise_result",
    ',"phase":"result"',
  ),
  asked(
    "a-thrown-errors-type-is-named",
    "So that its author finds it without its message.",
    { action: "raise", args: { armed: true, token } },
    {
      verdict: "BLOCK",
      reason_contains: ["conformance.raise", "RangeError"],
      policy_id: "conformance.raise",
      never_contains: [token, "message with"],
    },
  ),
  junk("a-rule-that-answers-true-blocks", "True is not allow.", "true"),
  junk("a-rule-that-answers-null-blocks", "Null is not undefined, and silence is undefined.", "null"),
  junk("a-rule-that-answers-zero-blocks", "The wire's integer for ALLOW is not an answer.", "0"),
  junk("a-rule-that-answers-text-blocks", "Nor is its name.", '"allow"'),
  junk(
    "a-rule-that-misspells-its-answer-blocks",
    "A misspelt block must not be silence.",
    '{"kind":"blok","reason":"r"}',
  ),
  junk(
    "a-rule-that-rewrites-to-a-list-blocks",
    "Arguments are an object.",
    '{"kind":"rewrite","args":[],"reason":"r","attributedTo":null}',
  ),
  junk(
    "a-rule-that-replaces-the-result-of-a-call-blocks",
    "A call has no result yet.",
    '{"kind":"rewrite_result","result":1,"reason":"r","attributedTo":null}',
  ),
  broken("a-rule-that-changes-the-event-blocks", "Events are frozen: the next rule judges what was asked.", "mutate"),
  exchange(
    "a-rule-that-hangs-blocks-its-caller-only",
    "The deadline is 250 ms; another connection is answered meanwhile.",
    [
      connect("a"),
      connect("b"),
      send(request("hung", `{"action":"hang","args":{"armed":true,"once":"${fresh("hang")}"}}`), "a"),
      send(ping("other"), "b"),
      receive([allowed("other")], "b"),
      { do: "silent", on: "a" },
      receive(
        [
          {
            answer: {
              id: "hung",
              verdict: "BLOCK",
              reason_contains: ["conformance.hang"],
              policy_id: "conformance.hang",
            },
          },
        ],
        "a",
      ),
      send(ping("after"), "a"),
      receive([allowed("after")], "a"),
    ],
  ),
  frame(
    "a-long-reason-is-cut",
    "One line of at most 512 bytes, cut between characters.",
    request("long", '{"action":"long_reason","args":{}}').trimEnd(),
    {
      answer: {
        id: "long",
        verdict: "BLOCK",
        reason_contains: ["start \u20ac\u20ac\u20ac"],
        reason_max_bytes: 512,
        policy_id: "p.long-reason",
      },
      never_contains: ["\ufffd"],
    },
  ),
  frame(
    "a-reason-of-many-lines-is-one-line",
    "It is printed in terminals and logs: a line break would forge a line.",
    request("lines", '{"action":"many_lines","args":{}}').trimEnd(),
    {
      answer: {
        id: "lines",
        verdict: "BLOCK",
        reason_contains: ["one", "two", "three", "four"],
        policy_id: "p.many-lines",
      },
      never_contains: ["\\n", "\\r", "\u2028", "\u202e"],
    },
  ),
  frame(
    "a-reason-never-quotes-an-argument",
    "Reasons are kept in receipts; an argument may be a secret.",
    request("quote", `{"action":"quoting_reason","args":{"token":"${token}"}}`).trimEnd(),
    {
      answer: { id: "quote", verdict: "BLOCK", reason_contains: [], policy_id: "p.quoting" },
      never_contains: [token],
    },
  ),
  frame(
    "an-attribution-never-quotes-an-argument",
    "It names an argument, never its value.",
    request("quote", `{"action":"quoting_attribution","args":{"token":"${token}"}}`).trimEnd(),
    {
      answer: { id: "quote", verdict: "BLOCK", reason: "token is not known", policy_id: "p.quoting" },
      never_contains: [token],
    },
  ),
  exchange("an-error-never-quotes-an-argument", "Nor does an error frame.", [
    connect(),
    send(hello("h", '["call_id"]')),
    receive([helloed("h")]),
    send(`{"event":{"action":"ping","args":{"token":"${token}"},"phase":"${token}"},"id":"quote","v":1}\n`),
    receive([{ error: "bad_request", id: "quote", never_contains: [token] }]),
    send(`{"event":{"action":"ping","args":{"token":"${token}"}},"id":"quote","v":"${token}"}\n`),
    receive([{ error: "bad_version", never_contains: [token] }]),
    send(`{"event":{"action":"ping","args":{"token":"${token}",}},"id":"quote","v":1}\n`),
    receive([{ error: "bad_request", never_contains: [token] }]),
  ]),
  asked(
    "a-rule-that-loops-blocks-and-the-daemon-lives",
    "The block names the rule. The daemon may drop its connections for it; a client that can resend asks once more and gets the verdict.",
    { action: "loop", args: { armed: true, once: fresh("loop") } },
    { verdict: "BLOCK", reason_contains: ["conformance.loop"], policy_id: "conformance.loop" },
  ),
  exchange(
    "a-call-that-looped-is-not-run-again",
    "Asked once more it gets its verdict; asked anew it is blocked without running the rule.",
    [
      connect("a"),
      send(hello("h", '["resend"]'), "a"),
      receive([helloed("h")], "a"),
      send(looping("l1"), "a"),
      { do: "wait", ms: 600 },
      { do: "drop", on: "a" },
      { do: "connect", on: "b", retry_ms: 10_000 },
      send(hello("h", '["resend"]'), "b"),
      receive([helloed("h")], "b"),
      send(looping("l1"), "b"),
      receive(
        [
          {
            answer: {
              id: "l1",
              verdict: "BLOCK",
              reason_contains: ["conformance.loop"],
              policy_id: "conformance.loop",
            },
          },
        ],
        "b",
      ),
      send(looping("l2"), "b"),
      receive([{ like: { id: "l2", verdict: 1 } }], "b"),
      send(ping("after"), "b"),
      receive([allowed("after")], "b"),
    ],
  ),
  asked(
    "a-call-after-a-loop-is-allowed",
    "The control: the daemon goes on.",
    { action: "ping", args: {} },
    { verdict: "ALLOW" },
  ),
];
