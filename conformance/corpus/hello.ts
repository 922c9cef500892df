import {
  allowed,
  connect,
  everyFeature,
  exchange,
  frame,
  hello,
  helloed,
  ping,
  receive,
  refused,
  request,
  send,
} from "./authoring.ts";
import type { Entry, Step } from "./format.ts";

const body = (text: string): string => `{"hello":${text},"id":"h","v":1}`;

const nonce = '"nonce":"abcdefghijklmnopqrstuv"';

const coded = (code: string, verdict: number, event: string): readonly Step[] => [
  send(request(code, event)),
  receive([{ like: { details: { code }, id: code, verdict } }]),
];

/** The optional first frame, what it settles, and what a peer without it never sees. */
export const helloEntries: readonly Entry[] = [
  exchange(
    "a-hello-is-answered-with-what-both-know",
    "Features are the intersection, sorted; unknown names are ignored.",
    [
      connect(),
      send(hello("h", '["resend","details","a-feature-of-the-future","call_id","details"]')),
      receive([{ like: { hello: { features: ["call_id", "details", "resend"], max_frame: 8388608 }, id: "h", v: 1 } }]),
    ],
  ),
  exchange("a-hello-without-features-changes-nothing", "Version 1 with a banner.", [
    connect(),
    send('{"hello":{"client":"conformance/1","features":[]},"id":"h","v":1}\n'),
    receive([{ like: { hello: { features: [] }, id: "h", v: 1 } }]),
    send(ping("after")),
    receive([allowed("after")]),
  ]),
  exchange("details-are-sent-where-they-were-negotiated", "A ninth key, with the reason's code.", [
    connect(),
    send(hello("h", '["details"]')),
    receive([helloed("h")]),
    send(request("block", '{"action":"rm_rf","args":{}}')),
    receive([
      {
        answer: {
          id: "block",
          verdict: "BLOCK",
          reason: "tool not permitted",
          details: { code: "rule_blocked", approval_id: null, errors: [], replayed: false },
        },
      },
    ]),
  ]),
  exchange("without-details-there-are-eight-keys", "A feature that was not asked for is not used.", [
    connect(),
    send(hello("h", '["call_id","escalate","escape","replace_args","resend"]')),
    receive([helloed("h")]),
    send(request("block", '{"action":"rm_rf","args":{}}')),
    receive([{ answer: { id: "block", verdict: "BLOCK", reason: "tool not permitted" } }]),
  ]),
  exchange("a-grade-is-taken-with-its-feature", "It is recorded, and judged by nobody.", [
    connect(),
    send(hello("h", '["details","grade"]')),
    receive([{ like: { hello: { features: ["details", "grade"] } } }]),
    ...["async/enforce", "async/monitor", "sync/enforce", "sync/monitor"].flatMap((grade) => [
      send(request(grade, `{"action":"rm_rf","args":{},"grade":"${grade}"}`)),
      receive([
        {
          answer: { id: grade, verdict: "BLOCK", reason: "tool not permitted", details: { code: "rule_blocked" } },
        },
      ]),
    ]),
    send(request("none", '{"action":"ping","args":{},"grade":null}')),
    receive([{ like: { id: "none", verdict: 0 } }]),
  ]),
  exchange("a-grade-that-is-none-is-refused", "There are four.", [
    connect(),
    send(hello("h", '["grade"]')),
    receive([helloed("h")]),
    send(request("half", '{"action":"ping","args":{},"grade":"async"}')),
    receive([{ error: "bad_request", id: "half" }]),
    send(request("number", '{"action":"ping","args":{},"grade":1}')),
    receive([{ error: "bad_request", id: "number" }]),
    send(ping("after")),
    receive([allowed("after")]),
  ]),
  exchange("a-grade-without-its-feature-is-an-unknown-key", "Version 1 has no such key.", [
    connect(),
    send(request("v1", '{"action":"ping","args":{},"grade":"async/enforce"}')),
    receive([{ error: "bad_request", id: "v1" }]),
  ]),
  exchange("a-hello-that-is-not-first-is-refused", "What was already asked was asked without it.", [
    connect(),
    send(ping("first")),
    receive([allowed("first")]),
    send(hello("h", everyFeature)),
    receive([{ error: "bad_request", id: "h" }]),
    send(ping("after")),
    receive([allowed("after")]),
  ]),
  exchange("a-second-hello-is-refused", "What both agreed on does not change under way.", [
    connect(),
    send(hello("h", '["details"]')),
    receive([helloed("h")]),
    send(hello("again", "[]")),
    receive([{ error: "bad_request", id: "again" }]),
    send(request("block", '{"action":"rm_rf","args":{}}')),
    receive([
      {
        answer: { id: "block", verdict: "BLOCK", reason: "tool not permitted", details: { code: "rule_blocked" } },
      },
    ]),
  ]),
  exchange("a-hello-after-a-refused-frame-is-refused", "A frame that was refused was still the first.", [
    connect(),
    send("junk\n"),
    receive([{ error: "bad_request", id: "" }]),
    send(hello("h", "[]")),
    receive([{ error: "bad_request", id: "h" }]),
  ]),
  frame(
    "a-hello-of-another-version-is-refused",
    "There is one version.",
    '{"hello":{"client":"c","features":[]},"id":"h","v":2}',
    {
      error: "bad_version",
    },
  ),
  refused("a-hello-that-is-text-is-refused", "A hello has keys.", body('"hi"'), "h"),
  refused("an-empty-hello-is-refused", "It says neither who nor what.", body("{}"), "h"),
  refused(
    "a-hello-without-features-list-is-refused",
    "Features are named, if only as none.",
    body('{"client":"c"}'),
    "h",
  ),
  refused("a-hello-without-client-is-refused", "A client says what it is.", body('{"features":[]}'), "h"),
  refused(
    "a-hello-with-an-unknown-key-is-refused",
    "What the daemon does not know may carry a demand.",
    body('{"client":"c","features":[],"mode":"monitor"}'),
    "h",
  ),
  refused(
    "features-that-are-text-are-refused",
    "A list, not a text that contains.",
    body('{"client":"c","features":"resend"}'),
    "h",
  ),
  refused(
    "features-that-hold-a-number-are-refused",
    "Names are text.",
    body('{"client":"c","features":["details",1]}'),
    "h",
  ),
  refused(
    "a-short-nonce-is-refused",
    "It must not be guessed.",
    body('{"client":"c","features":["resend"],"nonce":"short"}'),
    "h",
  ),
  refused(
    "resend-without-a-nonce-is-refused",
    "A resend is matched by the nonce; without one any client's id would do.",
    body('{"client":"c","features":["resend"]}'),
    "h",
  ),
  refused(
    "a-nonce-that-is-a-number-is-refused",
    "Text, of a known alphabet.",
    body('{"client":"c","features":[],"nonce":12345678901234567890}'),
  ),
  refused(
    "a-nonce-with-a-line-break-is-refused",
    "Printable ASCII without spaces.",
    body('{"client":"c","features":[],"nonce":"abcdefghijklmnop\\nqrst"}'),
    "h",
  ),
  refused(
    "a-frame-with-a-hello-and-an-event-is-refused",
    "One frame, one body.",
    `{"event":{"action":"ping","args":{}},"hello":{"client":"c","features":["details"],${nonce}},"id":"h","v":1}`,
    "h",
  ),
  refused(
    "a-hello-with-an-empty-id-is-refused",
    "Its answer must be matched too.",
    '{"hello":{"client":"c","features":[]},"id":"","v":1}',
    "",
  ),
  frame(
    "health-is-answered",
    "Anyone on the socket may ask whether the daemon is well.",
    '{"health":{},"id":"well","v":1}',
    {
      like: { health: { status: "serving" }, id: "well", v: 1 },
    },
  ),
  refused(
    "health-with-a-key-is-refused",
    "It asks nothing more.",
    '{"health":{"verbose":true},"id":"well","v":1}',
    "well",
  ),
  refused("health-that-is-null-is-refused", "It is an object.", '{"health":null,"id":"well","v":1}', "well"),
  refused(
    "a-surface-without-the-feature-is-refused",
    "Not negotiated, so not known.",
    '{"id":"s","surface":{"server":"files","tools":[]},"v":1}',
    "s",
  ),
  refused(
    "an-outcome-without-the-feature-is-refused",
    "Not negotiated, so not known.",
    '{"id":"o","outcome":{"call_id":"c-1","status":"failed"},"v":1}',
    "o",
  ),
  refused(
    "a-resume-without-the-feature-is-refused",
    "Not negotiated, so not known.",
    '{"id":"r","resume":{"approval_id":"a-1","call_id":"c-1"},"v":1}',
    "r",
  ),
  exchange(
    "an-outcome-and-a-resume-of-no-call",
    "An end of a call that is not under way, and an approval that there is not: refused by name, never allowed.",
    [
      connect(),
      send(hello("h", everyFeature)),
      receive([helloed("h")]),
      send('{"id":"o","outcome":{"call_id":"c-1","status":"failed"},"v":1}\n'),
      receive([{ like: { id: "o", verdict: 1, details: { code: "outcome_unmatched" } } }]),
      send('{"id":"r","resume":{"approval_id":"a-1","call_id":"c-1"},"v":1}\n'),
      receive([{ like: { id: "r", verdict: 1, details: { code: "approval_missing" } } }]),
      send(ping("after")),
      receive([{ like: { id: "after", verdict: 0 } }]),
    ],
  ),
  exchange(
    "a-call-of-a-server-is-held-against-what-the-session-reported",
    "Not before there is a report, and of no tool that it does not list. A listing with two tools of one name is none.",
    [
      connect(),
      send(hello("h", everyFeature)),
      receive([helloed("h")]),
      send('{"event":{"action":"ping","args":{},"server":"files"},"id":"early","v":1}\n'),
      receive([{ like: { id: "early", verdict: 1, details: { code: "surface_unknown" } } }]),
      send('{"id":"twice","surface":{"server":"files","tools":[{"name":"a"},{"name":"a"}]},"v":1}\n'),
      receive([{ like: { id: "twice", verdict: 1, details: { code: "surface_refused" } } }]),
      send('{"id":"s","surface":{"server":"files","tools":[{"name":"ping","description":"Answers."}]},"v":1}\n'),
      receive([{ like: { id: "s", verdict: 0, details: { code: "surface_recorded" } } }]),
      send('{"event":{"action":"ping","args":{},"server":"files"},"id":"listed","v":1}\n'),
      receive([{ like: { id: "listed", verdict: 0 } }]),
      send('{"event":{"action":"pong","args":{},"server":"files"},"id":"unlisted","v":1}\n'),
      receive([{ like: { id: "unlisted", verdict: 1, details: { code: "tool_unlisted" } } }]),
      send(ping("none")),
      receive([{ like: { id: "none", verdict: 0 } }]),
    ],
  ),
  exchange("a-question-may-follow-a-hello-at-once", "It is judged by what the hello settled.", [
    connect(),
    send(hello("h", '["details"]') + request("block", '{"action":"rm_rf","args":{}}')),
    receive([
      helloed("h"),
      {
        answer: { id: "block", verdict: "BLOCK", reason: "tool not permitted", details: { code: "rule_blocked" } },
      },
    ]),
  ]),
  exchange("each-reason-has-its-code", "What a program may act on, where a person reads the reason.", [
    connect(),
    send(hello("h", '["details","resend"]')),
    receive([helloed("h")]),
    ...coded("unknown_allowed", 0, '{"action":"ping","args":{}}'),
    ...coded("rule_blocked", 1, '{"action":"rm_rf","args":{}}'),
    ...coded("rewritten", 2, '{"action":"compose","args":{}}'),
    ...coded("rule_threw", 1, '{"action":"raise","args":{"armed":true}}'),
    ...coded("rewrite_unsettled", 1, '{"action":"never_settles","args":{}}'),
    ...coded("rewrite_removes_key", 1, '{"action":"drop_key","args":{"secret":1}}'),
    ...coded("escalated", 3, '{"action":"wire_money","args":{}}'),
    ...coded("result_escalated", 1, '{"action":"escalate_result","args":{"armed":true},"phase":"result"}'),
  ]),
];
