import { MAX_LINE, maxNestingDepth, maxRequestIdBytes } from "../../wire/limits.ts";
import { allowed, connect, exchange, frame, ping, receive, refused, send } from "./authoring.ts";
import type { Entry, Piece } from "./format.ts";

/** The frame's object, the event and its args are three levels. */
const nested = (depth: number): readonly Piece[] => [
  '{"event":{"action":"ping","args":{"value":',
  { repeat: "[", times: depth - 3 },
  { repeat: "]", times: depth - 3 },
  '}},"id":"deep","v":1}',
];

const padded = (bytes: number): readonly Piece[] => {
  const before = '{"event":{"action":"ping","args":{"pad":"';
  const after = '"}},"id":"size","v":1}';
  return [before, { repeat: "x", times: bytes - before.length - after.length }, after];
};

/** The edge of what is a frame: the last size, depth and length that is read, and the first that is not. */
export const limitEntries: readonly Entry[] = [
  frame("nesting-of-128-levels-is-read", "The last depth that is allowed.", nested(maxNestingDepth), allowed("deep")),
  refused(
    "nesting-of-129-levels-is-refused",
    "One more, so that no reader's stack is at stake.",
    nested(maxNestingDepth + 1),
  ),
  refused("a-bomb-of-brackets-is-refused", "A million levels cost the daemon nothing.", [
    { repeat: "[", times: 1_000_000 },
  ]),
  refused("a-bomb-of-objects-is-refused", "The same with keys.", [{ repeat: '{"a":', times: 200_000 }]),
  frame(
    "a-frame-of-exactly-the-limit-is-read",
    "8388608 bytes with the newline.",
    padded(MAX_LINE - 1),
    allowed("size"),
  ),
  frame(
    "a-frame-of-one-byte-more-is-refused",
    "The size is tested before anything is parsed, and the connection closes.",
    padded(MAX_LINE),
    { error: "too_large", id: "" },
    "closed",
  ),
  frame(
    "an-id-of-256-bytes-is-read",
    "The longest id.",
    ['{"event":{"action":"ping","args":{}},"id":"', { repeat: "i", times: maxRequestIdBytes }, '","v":1}'],
    { answer: { id: "i".repeat(maxRequestIdBytes), verdict: "ALLOW" } },
  ),
  refused("an-id-of-257-bytes-is-refused", "An id is echoed and written to the receipt, so it has a bound.", [
    '{"event":{"action":"ping","args":{}},"id":"',
    { repeat: "i", times: maxRequestIdBytes + 1 },
    '","v":1}',
  ]),
  refused("an-action-of-2000-bytes-is-refused", "A name is written to the receipt, so it has a bound.", [
    '{"event":{"action":"',
    { repeat: "a", times: 2000 },
    '","args":{}},"id":"longname","v":1}',
  ]),
  frame(
    "two-hundred-thousand-items-are-read",
    "Breadth has no bound but the frame's.",
    ['{"event":{"action":"ping","args":{"list":[', { repeat: "0,", times: 200_000 }, '0]}},"id":"wide","v":1}'],
    allowed("wide"),
  ),
  exchange("a-good-frame-before-an-oversized-one-is-answered", "What came before the refusal was asked properly.", [
    connect(),
    send([ping("good"), { repeat: "x", times: MAX_LINE + 1 }, "\n"]),
    { do: "receive", on: "a", frames: [allowed("good"), { error: "too_large", id: "" }], order: "given" },
    { do: "closed", on: "a" },
  ]),
  exchange("an-oversized-frame-hurts-no-other-connection", "The others do not notice.", [
    connect("b"),
    connect("a"),
    send([{ repeat: "x", times: MAX_LINE + 1 }, "\n"], "a"),
    send(ping("other"), "b"),
    receive([allowed("other")], "b"),
    receive([{ error: "too_large", id: "" }], "a"),
    { do: "closed", on: "a" },
    send(ping("still"), "b"),
    receive([allowed("still")], "b"),
  ]),
];
