import {
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
import { described, describing, echo, echoed, seen } from "./echoing.ts";
import type { Entry } from "./format.ts";

const envelopeText = '{"__interlock__":"bytes","b64":"AAH/"}';

const proto = JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as Record<string, never>;

/** Keys, numbers and text: what they are on each side of the wire. */
export const valueEntries: readonly Entry[] = [
  asked(
    "a-proto-key-survives-both-ways",
    "__proto__ is an ordinary key: a client that drops it hides an argument that the tool receives.",
    { action: "echo", args: { value: proto }, phase: "result" },
    { ...echoed, modified_result: proto },
  ),
  asked(
    "a-proto-key-is-seen-by-a-rule",
    "And the rule sees it as an own key.",
    { action: "describe", args: { value: proto } },
    {
      ...described,
      effective_args: { value: proto, seen: '{"__proto__":{"admin":boolean},"constructor":number}' },
    },
  ),
  frame(
    "a-proto-key-at-the-top-of-args-is-seen",
    "The raw frame, whatever the client library does.",
    '{"event":{"action":"echo","args":{"value":{"__proto__":{"a":1}}},"phase":"result"},"id":"proto","v":1}',
    {
      text: '{"attributed_to":null,"id":"proto","modified_args":null,"modified_result":{"__proto__":{"a":1}},"policy_id":"p.echo","reason":"echoed","v":1,"verdict":2}',
    },
  ),
  frame(
    "keys-are-sorted-by-utf-16-code-units",
    "JCS: U+10000 is written D800 DC00 and stands before U+FB33, though its code point is larger. Text stays raw UTF-8.",
    echo("order", '{"\\ufb33":1,"\\ud800\\udc00":2,"\\u00f6":3,"a":4,"\\r":5}'),
    {
      text: '{"attributed_to":null,"id":"order","modified_args":null,"modified_result":{"\\r":5,"a":4,"\u00f6":3,"\ud800\udc00":2,"\ufb33":1},"policy_id":"p.echo","reason":"echoed","v":1,"verdict":2}',
    },
  ),
  frame(
    "numbers-have-one-text",
    "JCS writes a number as ECMAScript does.",
    echo("numbers", "[1.0,0.1e1,1E-7,-0,333333333.33333329,4.50,2e-3,5e-324,9007199254740991]"),
    {
      text: '{"attributed_to":null,"id":"numbers","modified_args":null,"modified_result":[1,1,1e-7,0,333333333.3333333,4.5,0.002,5e-324,9007199254740991],"policy_id":"p.echo","reason":"echoed","v":1,"verdict":2}',
    },
  ),
  frame(
    "text-is-escaped-no-more-than-needed",
    "JCS: the two-letter escapes, \\u00xx for other controls, everything else raw, DEL included.",
    echo("text", '"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\\\/\\u007f\\u20ac\\u2028"'),
    {
      text: '{"attributed_to":null,"id":"text","modified_args":null,"modified_result":"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/\u007f\u20ac\u2028","policy_id":"p.echo","reason":"echoed","v":1,"verdict":2}',
    },
  ),
  asked(
    "non-ascii-and-astral-keys-survive",
    "Names in any script, and beyond the first plane.",
    {
      action: "echo",
      args: { value: { "\u00f6": 1, "\u540d\u524d": "\u{1f600}", "\u{10000}": [], "\ufb33": {} } },
      phase: "result",
    },
    { ...echoed, modified_result: { "\u00f6": 1, "\u540d\u524d": "\u{1f600}", "\u{10000}": [], "\ufb33": {} } },
  ),
  asked(
    "a-false-zero-or-empty-replacement-is-a-replacement",
    "Only null means that the result stays.",
    { action: "echo", args: { value: false }, phase: "result" },
    { ...echoed, modified_result: false },
  ),
  asked(
    "a-zero-is-a-replacement",
    "Zero is a value.",
    { action: "echo", args: { value: 0 }, phase: "result" },
    { ...echoed, modified_result: 0 },
  ),
  asked(
    "an-empty-text-is-a-replacement",
    "So is an empty text.",
    { action: "echo", args: { value: "" }, phase: "result" },
    { ...echoed, modified_result: "" },
  ),
  asked(
    "the-largest-safe-integer-survives",
    "2^53-1 is the last whole number that every language keeps.",
    { action: "echo", args: { value: [9007199254740991, -9007199254740991] }, phase: "result" },
    { ...echoed, modified_result: [9007199254740991, -9007199254740991] },
  ),
  refused(
    "an-integer-beyond-2-to-the-53-is-refused",
    "9007199254740993 would be judged as 9007199254740992.",
    describing("big", "9007199254740993"),
  ),
  refused(
    "2-to-the-53-itself-is-refused",
    "It is what 2^53+1 rounds to, so it cannot be told from it.",
    describing("big", "9007199254740992"),
  ),
  refused(
    "a-very-long-integer-is-refused",
    "Whatever a language's integers can hold.",
    describing("big", `1${"0".repeat(400)}`),
  ),
  refused("a-large-negative-integer-is-refused", "The same below zero.", describing("big", "-9007199254740993")),
  refused("a-number-that-overflows-is-refused", "1e400 is Infinity to a double.", describing("big", "1e400")),
  refused(
    "a-lone-high-surrogate-is-refused",
    "It has no UTF-8, so it has no canonical form.",
    describing("half", '"\\ud800"'),
  ),
  refused("a-lone-low-surrogate-is-refused", "The same for the other half.", describing("half", '"\\udc00"')),
  refused(
    "surrogates-in-the-wrong-order-are-refused",
    "Two halves that make no pair.",
    describing("half", '"\\udc00\\ud800"'),
  ),
  refused("a-lone-surrogate-in-a-key-is-refused", "Keys are text too.", describing("half", '{"\\ud800":1}')),
  refused(
    "a-lone-surrogate-in-an-action-is-refused",
    "So are names.",
    '{"event":{"action":"ping\\ud800","args":{}},"id":"half","v":1}',
  ),
  frame(
    "an-escaped-pair-is-one-character",
    "The control of the entries above.",
    describing("pair", '"\\ud83d\\ude00"'),
    seen("pair", "string"),
  ),
  exchange("every-value-at-once-over-hello", "The same codec with every feature on.", [
    connect(),
    send(hello("h", everyFeature)),
    receive([helloed("h")]),
    send(
      request(
        "all",
        `{"action":"describe","args":{"value":[${envelopeText},{"__proto__":null},"\\ud83d\\ude00",1.5]}}`,
      ),
    ),
    receive([
      {
        like: {
          id: "all",
          modified_args: { seen: '[bytes(0001ff),{"__proto__":null},string,number]' },
          verdict: 2,
        },
      },
    ]),
  ]),
  frame(
    "a-proto-key-does-not-become-a-prototype",
    "A rule that reads args.path must not read it off an inherited object: here it would be taken for /etc/passwd.",
    '{"event":{"action":"read_file","args":{"__proto__":{"path":"/etc/passwd"}}},"id":"proto","v":1}',
    {
      answer: {
        id: "proto",
        verdict: "BLOCK",
        reason: "read_file on the call side is denied",
        policy_id: "p.call-side",
      },
    },
  ),
  asked(
    "a-rewrite-to-a-proto-key-is-an-own-key",
    "On the way back too.",
    { action: "proto_key", args: { title: "a" } },
    {
      verdict: "MODIFY",
      reason: "key set",
      policy_id: "p.proto-key",
      effective_args: JSON.parse('{"title":"a","__proto__":{"a":1}}'),
    },
  ),
  asked(
    "an-integer-beyond-2-to-the-53-is-refused-by-the-client",
    "9007199254740993: where a language can hold it, the client refuses it; where it cannot, it is unsafe all the same.",
    { action: "ping", args: { amount: 9007199254740992 } },
    { error: "unrepresentable", by: "client" },
  ),
  asked(
    "an-integer-of-thirty-digits-is-refused-by-the-client",
    "Nothing is sent.",
    { action: "ping", args: { amount: -1e29 } },
    { error: "unrepresentable", by: "client" },
  ),
];
