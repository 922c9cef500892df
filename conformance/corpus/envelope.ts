import { asked, connect, exchange, frame, hello, helloed, receive, refused, send } from "./authoring.ts";
import { described, describing, echo, echoed, seen } from "./echoing.ts";
import type { Entry } from "./format.ts";

/** Bytes 00 01 ff. */
const bytes = { kind: "bytes", hex: "0001ff" };

const envelope = { __interlock__: "bytes", b64: "AAH/" };

const envelopeText = '{"__interlock__":"bytes","b64":"AAH/"}';

const passesThrough = (name: string, note: string, value: string, text: string): Entry =>
  frame(name, note, describing("look", value), seen("look", text));

/** Bytes, and what looks like them. */
export const envelopeEntries: readonly Entry[] = [
  asked(
    "bytes-in-arguments-reach-a-rule-as-bytes",
    "The policy sees what the tool will get.",
    { action: "describe", args: { value: bytes } },
    { ...described, effective_args: { value: bytes, seen: "bytes(0001ff)" } },
  ),
  asked(
    "bytes-nested-in-arguments-reach-a-rule-as-bytes",
    "At every depth.",
    { action: "describe", args: { value: { list: [1, bytes, { deep: bytes }] } } },
    {
      ...described,
      effective_args: {
        value: { list: [1, bytes, { deep: bytes }] },
        seen: '{"list":[number,bytes(0001ff),{"deep":bytes(0001ff)}]}',
      },
    },
  ),
  asked(
    "bytes-nested-in-a-result-come-back-as-bytes",
    "The other direction.",
    { action: "echo", args: { value: [bytes, { a: bytes }] }, phase: "result" },
    { ...echoed, modified_result: [bytes, { a: bytes }] },
  ),
  asked(
    "empty-bytes-are-bytes",
    "An empty string in base64 is no bytes, not no value.",
    { action: "describe", args: { value: { kind: "bytes", hex: "" } } },
    { ...described, effective_args: { value: { kind: "bytes", hex: "" }, seen: "bytes()" } },
  ),
  asked(
    "a-users-look-alike-stays-an-object",
    "An object of the envelope's exact shape is the user's own: escaped on the way, never mistaken for bytes.",
    { action: "echo", args: { value: envelope }, phase: "result" },
    { ...echoed, modified_result: envelope },
  ),
  asked(
    "a-users-look-alike-is-seen-as-an-object",
    "The rule is told what it is.",
    { action: "describe", args: { value: envelope } },
    {
      ...described,
      effective_args: { value: envelope, seen: '{"__interlock__":string,"b64":string}' },
    },
  ),
  asked(
    "a-users-look-alike-with-bad-base64-stays-an-object",
    "Without the escape the daemon would refuse it as bad bytes.",
    { action: "echo", args: { value: { __interlock__: "bytes", b64: "***" } }, phase: "result" },
    { ...echoed, modified_result: { __interlock__: "bytes", b64: "***" } },
  ),
  asked(
    "a-users-escaped-look-alike-stays-itself",
    "A tag that already begins with = takes one more, and loses one on the way back.",
    { action: "echo", args: { value: { __interlock__: "==bytes", b64: bytes } }, phase: "result" },
    { ...echoed, modified_result: { __interlock__: "==bytes", b64: bytes } },
  ),
  asked(
    "args-that-look-like-the-envelope-stay-args",
    "The arguments themselves may have the shape.",
    { action: "ping", args: envelope },
    { verdict: "ALLOW" },
  ),
  frame(
    "v1-envelope-in-arguments-is-bytes",
    "Without hello the envelope means bytes, as in v1.",
    describing("look", envelopeText),
    seen("look", "bytes(0001ff)"),
  ),
  frame(
    "v1-envelope-comes-back-in-v1-form",
    "Without hello bytes leave in the plain envelope.",
    echo("bytes", envelopeText),
    { answer: { id: "bytes", ...echoed, modified_result: envelope } },
  ),
  passesThrough(
    "a-tag-alone-is-an-object",
    "One key is not the envelope.",
    '{"__interlock__":"bytes"}',
    '{"__interlock__":string}',
  ),
  passesThrough(
    "another-tag-is-an-object",
    "There is one tag, bytes.",
    '{"__interlock__":"passthrough","b64":"AAH/"}',
    '{"__interlock__":string,"b64":string}',
  ),
  passesThrough(
    "three-keys-are-an-object",
    "A third key makes it the user's.",
    '{"__interlock__":"bytes","b64":"AAH/","x":1}',
    '{"__interlock__":string,"b64":string,"x":number}',
  ),
  passesThrough(
    "a-tag-that-is-no-text-is-an-object",
    "Only the text bytes is the tag.",
    '{"__interlock__":["bytes"],"b64":"AAH/"}',
    '{"__interlock__":[string],"b64":string}',
  ),
  refused(
    "bad-base64-is-refused",
    "A star is not in the alphabet.",
    describing("b64", '{"__interlock__":"bytes","b64":"AA*/"}'),
    "b64",
  ),
  refused(
    "base64-without-padding-is-refused",
    "One value has one text.",
    describing("b64", '{"__interlock__":"bytes","b64":"AAE"}'),
    "b64",
  ),
  refused(
    "base64-with-trailing-bits-is-refused",
    "AAF= and AAE= would be two texts of the same bytes.",
    describing("b64", '{"__interlock__":"bytes","b64":"AAF="}'),
    "b64",
  ),
  refused(
    "url-base64-is-refused",
    "The alphabet is the standard one.",
    describing("b64", '{"__interlock__":"bytes","b64":"AAH_"}'),
    "b64",
  ),
  refused(
    "base64-with-a-line-break-is-refused",
    "White space is not in the alphabet.",
    describing("b64", '{"__interlock__":"bytes","b64":"AAH/\\n"}'),
    "b64",
  ),
  refused(
    "base64-that-is-a-number-is-refused",
    "Bytes are written as text.",
    describing("b64", '{"__interlock__":"bytes","b64":1}'),
    "b64",
  ),
  exchange("an-escaped-envelope-is-an-object", "With the feature escape =bytes stands for the user's own bytes tag.", [
    connect(),
    send(hello("h", '["escape"]')),
    receive([helloed("h")]),
    send(`${describing("look", '{"__interlock__":"=bytes","b64":"AAH/"}')}\n`),
    receive([seen("look", '{"__interlock__":string,"b64":string}')]),
    send(`${echo("back", '{"__interlock__":"=bytes","b64":"AAH/"}')}\n`),
    receive([{ answer: { id: "back", ...echoed, modified_result: { __interlock__: "=bytes", b64: "AAH/" } } }]),
    send(`${describing("bytes", envelopeText)}\n`),
    receive([seen("bytes", "bytes(0001ff)")]),
  ]),
  exchange("an-escape-nobody-would-write-is-refused", "With the feature escape =x is no encoding of anything.", [
    connect(),
    send(hello("h", '["escape"]')),
    receive([helloed("h")]),
    send(`${describing("look", '{"__interlock__":"=x","b64":"AAH/"}')}\n`),
    receive([{ error: "bad_request", id: "look" }]),
  ]),
  frame(
    "without-escape-an-escaped-envelope-is-itself",
    "A v1 client's =bytes is a tag like any other.",
    echo("plain", '{"__interlock__":"=bytes","b64":"AAH/"}'),
    { answer: { id: "plain", ...echoed, modified_result: { __interlock__: "=bytes", b64: "AAH/" } } },
  ),
];
