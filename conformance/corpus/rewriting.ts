import { asked, connect, exchange, frame, hello, helloed, receive, request, send } from "./authoring.ts";
import type { Entry } from "./format.ts";

/** Rewrites compose, and what is judged is what will run. */
export const rewritingEntries: readonly Entry[] = [
  asked(
    "rewrites-compose-in-order",
    "The second rule sees what the first one set; the last one to rewrite is named.",
    { action: "compose", args: { title: "a" } },
    {
      verdict: "MODIFY",
      reason: "second set",
      policy_id: "p.compose-second",
      attributed_to: "second",
      effective_args: { title: "a", first: 1, second: 2 },
    },
  ),
  asked(
    "a-rewrite-is-judged-by-a-later-rule",
    "A block after a rewrite still blocks.",
    { action: "judged_later", args: { path: "/alias" } },
    { verdict: "BLOCK", reason: "path is dangerous", policy_id: "p.later", attributed_to: "path" },
  ),
  asked(
    "a-rewrite-is-judged-again-by-an-earlier-rule",
    "An earlier rule that was satisfied by the old arguments is asked about the new ones.",
    { action: "judged_earlier", args: { path: "/alias" } },
    { verdict: "BLOCK", reason: "path is dangerous", policy_id: "p.earlier", attributed_to: "path" },
  ),
  asked(
    "a-call-that-needs-no-rewrite-is-allowed",
    "The control of the two above.",
    { action: "judged_earlier", args: { path: "/safe" } },
    { verdict: "ALLOW" },
  ),
  asked(
    "a-rewrite-may-settle-in-the-third-pass",
    "Two passes change the call and the third does not.",
    { action: "settles", args: { n: 0 } },
    { verdict: "MODIFY", reason: "counted", policy_id: "p.settles", effective_args: { n: 2 } },
  ),
  asked(
    "a-rewrite-that-does-not-settle-blocks",
    "What still changes in the third pass was never judged as it would run.",
    { action: "never_settles", args: { n: 0 } },
    {
      verdict: "BLOCK",
      reason_contains: ["conformance.never-settles"],
      policy_id: "conformance.never-settles",
    },
  ),
  asked(
    "a-rewrite-that-changes-nothing-changes-nothing",
    "It is still said to be a rewrite.",
    { action: "unchanged", args: { path: "a" } },
    { verdict: "MODIFY", reason: "path kept", policy_id: "p.unchanged", effective_args: { path: "a" } },
  ),
  asked(
    "a-rewrite-adds-a-key",
    "One that the caller did not pass.",
    { action: "mirror", args: { value: [1, { a: null }] } },
    {
      verdict: "MODIFY",
      reason: "mirrored",
      policy_id: "p.mirror",
      effective_args: { value: [1, { a: null }], copy: [1, { a: null }] },
    },
  ),
  asked(
    "a-rewrite-removes-a-key-for-a-client-that-can",
    "With the feature replace_args the new arguments take the place of the old.",
    { action: "drop_key", args: { secret: "s", title: "a" } },
    {
      verdict: "MODIFY",
      reason: "secret taken away",
      policy_id: "p.drop-key",
      attributed_to: "secret",
      effective_args: { title: "a" },
    },
  ),
  frame(
    "a-rewrite-that-removes-a-key-blocks-a-client-that-cannot",
    "A v1 client merges, so the key would stay.",
    request("drop", '{"action":"drop_key","args":{"secret":"s","title":"a"}}').trimEnd(),
    {
      answer: {
        id: "drop",
        verdict: "BLOCK",
        reason_contains: ["conformance.drop-key"],
        policy_id: "conformance.drop-key",
      },
    },
  ),
  exchange("replace-args-sends-all-arguments", "What is sent is what will run, whole.", [
    connect(),
    send(hello("h", '["replace_args"]')),
    receive([helloed("h")]),
    send(request("drop", '{"action":"drop_key","args":{"other":2,"secret":"s","title":"a"}}')),
    receive([
      {
        answer: {
          id: "drop",
          verdict: "MODIFY",
          reason: "secret taken away",
          policy_id: "p.drop-key",
          attributed_to: "secret",
          modified_args: { other: 2, title: "a" },
        },
      },
    ]),
    send(request("compose", '{"action":"compose","args":{"title":"a"}}')),
    receive([
      {
        answer: {
          id: "compose",
          verdict: "MODIFY",
          reason: "second set",
          policy_id: "p.compose-second",
          attributed_to: "second",
          modified_args: { first: 1, second: 2, title: "a" },
        },
      },
    ]),
  ]),
  frame(
    "an-untransmittable-rewrite-of-a-call-is-refused",
    "A date has no JSON form.",
    request("opaque", '{"action":"rewrite_opaque","args":{"armed":true}}').trimEnd(),
    { error: "unrepresentable", id: "opaque" },
  ),
  frame(
    "an-infinite-rewrite-of-a-call-is-refused",
    "Nor has Infinity.",
    request("infinite", '{"action":"rewrite_infinite","args":{"armed":true}}').trimEnd(),
    { error: "unrepresentable", id: "infinite" },
  ),
  frame(
    "a-large-double-beside-a-rewrite-is-left-alone",
    "1e21 is no integer token, and the rewrite is of other keys.",
    request("large", '{"action":"compose","args":{"big":1e21}}').trimEnd(),
    {
      answer: {
        id: "large",
        verdict: "MODIFY",
        reason: "second set",
        policy_id: "p.compose-second",
        attributed_to: "second",
        modified_args_include: { first: 1, second: 2 },
      },
    },
  ),
  asked(
    "two-redactors-both-apply-to-a-result",
    "The first to match must not hide the second.",
    { action: "read_two", args: { result: "AAA and BBB" }, phase: "result" },
    { verdict: "MODIFY", reason: "b redacted", policy_id: "p.redact-b", modified_result: "[a] and [b]" },
  ),
  asked(
    "a-replaced-result-is-judged-as-what-it-became",
    "A text that became an object is shown as that object to the rules that follow.",
    { action: "read_layers", args: { result: "wrap" }, phase: "result" },
    { verdict: "MODIFY", reason: "secret stripped", policy_id: "p.layers", modified_result: { title: "a" } },
  ),
  frame(
    "a-rewrite-that-does-not-fit-a-frame-blocks",
    "The client cannot be told what it would have to run.",
    request("large", '{"action":"rewrite_large","args":{"armed":true}}').trimEnd(),
    {
      answer: {
        id: "large",
        verdict: "BLOCK",
        reason_contains: [],
        policy_id: "conformance.rewrite-large",
      },
    },
  ),
];
