import { allowed, frame, refused } from "./authoring.ts";
import type { Entry } from "./format.ts";

const withId = (id: string): string => `{"event":{"action":"ping","args":{}},"id":${id},"v":1}`;

/** Lines that are no frame, and spellings that are one. */
export const grammarEntries: readonly Entry[] = [
  frame(
    "an-answer-has-exactly-these-bytes",
    "Canonical JSON: sorted keys, no spaces, eight keys, nulls where there is nothing.",
    '{"v":1,"id":"pin","event":{"args":{},"action":"ping"}}',
    {
      text: '{"attributed_to":null,"id":"pin","modified_args":null,"modified_result":null,"policy_id":null,"reason":"","v":1,"verdict":0}',
    },
  ),
  frame(
    "white-space-between-tokens-is-read",
    "Receivers require no canonical input: any valid JSON text on one line is a frame.",
    ' { "v" : 1 , "id" : "spaced" , "event" : { "action" : "ping" , "args" : { } } } \t\r',
    allowed("spaced"),
  ),
  frame(
    "escaped-keys-are-the-keys-they-spell",
    "An escape in a key does not make it another key.",
    '{"\\u0065vent":{"action":"ping","\\u0061rgs":{}},"id":"escaped","v":1}',
    allowed("escaped"),
  ),
  refused("an-empty-line-is-refused", "It is a malformed frame, not a pause.", "", ""),
  refused("a-frame-is-an-object-not-an-array", "A batch is not part of the protocol.", "[]", ""),
  refused("a-frame-is-an-object-not-null", "Null has no keys to read.", "null", ""),
  refused("a-frame-is-an-object-not-text", "A string is valid JSON and no frame.", '"ping"', ""),
  refused(
    "two-objects-on-one-line-are-refused",
    "Reading the first and dropping the second would judge half of what was sent.",
    '{"event":{"action":"ping","args":{}},"id":"one","v":1}{"event":{"action":"rm_rf","args":{}},"id":"two","v":1}',
    "",
  ),
  refused("bytes-after-the-object-are-refused", "A line is one object and nothing else.", `${withId('"tail"')} x`, ""),
  refused(
    "an-unknown-top-level-key-is-refused",
    "What the daemon does not know it cannot judge.",
    '{"event":{"action":"ping","args":{}},"extra":true,"id":"top","v":1}',
    "top",
  ),
  refused("a-frame-without-a-body-is-refused", "An id and a version ask nothing.", '{"id":"bare","v":1}', "bare"),
  refused("an-event-that-is-an-array-is-refused", "An event has keys.", '{"event":[],"id":"list","v":1}', "list"),
  refused(
    "an-empty-action-is-refused",
    "A call without a name matches no rule.",
    '{"event":{"action":"","args":{}},"id":"noname","v":1}',
    "noname",
  ),
  refused(
    "an-action-that-is-a-number-is-refused",
    "A number is no name, and is not made one.",
    '{"event":{"action":1,"args":{}},"id":"number","v":1}',
    "number",
  ),
  refused(
    "args-that-are-null-are-refused",
    "Null is not {}.",
    '{"event":{"action":"ping","args":null},"id":"null","v":1}',
    "null",
  ),
  refused("an-id-that-is-a-number-is-refused", 'Ids are text; 1 and "1" would be two.', withId("1"), ""),
  refused("an-id-that-is-null-is-refused", "An answer must be matched to its question.", withId("null"), ""),
  frame(
    "a-version-that-is-true-is-refused",
    "A boolean is not a number, also where a language compares them as equal.",
    '{"event":{"action":"ping","args":{}},"id":"true","v":true}',
    { error: "bad_version" },
  ),
  frame(
    "a-version-that-is-text-is-refused",
    "A numeric string is not a number.",
    '{"event":{"action":"ping","args":{}},"id":"text","v":"1"}',
    { error: "bad_version" },
  ),
  frame(
    "a-missing-version-is-refused",
    "There is no default version.",
    '{"event":{"action":"ping","args":{}},"id":"none"}',
    { error: "bad_version" },
  ),
  refused(
    "invalid-utf-8-is-refused",
    "Bytes that are no text would be replaced by one that a rule does not expect.",
    ['{"event":{"action":"ping","args":{"path":"/etc/', { hex: "ff" }, 'passwd"}},"id":"utf8","v":1}'],
    "",
  ),
  refused(
    "an-overlong-encoding-is-refused",
    "C0 AF is a slash to a lenient decoder only.",
    ['{"event":{"action":"ping","args":{"path":"', { hex: "c0af" }, '"}},"id":"overlong","v":1}'],
    "",
  ),
  refused(
    "a-surrogate-in-utf-8-is-refused",
    "ED A0 80 is no character (CESU-8).",
    ['{"event":{"action":"ping","args":{"path":"', { hex: "eda080" }, '"}},"id":"cesu","v":1}'],
    "",
  ),
  refused(
    "a-byte-order-mark-is-refused",
    "It is not white space, and stripping it would accept what others refuse.",
    [{ hex: "efbbbf" }, withId('"bom"')],
    "",
  ),
  refused(
    "a-key-twice-is-refused",
    "Readers differ about which of the two counts: two readers, two calls.",
    '{"event":{"action":"ping","args":{"path":"/tmp/a","path":"/etc/passwd"}},"id":"twice","v":1}',
  ),
  refused(
    "a-key-twice-is-refused-when-one-is-escaped",
    "\\u0070ath and path are one key.",
    '{"event":{"action":"ping","args":{"path":"/tmp/a","\\u0070ath":"/etc/passwd"}},"id":"twice","v":1}',
  ),
  refused(
    "an-action-twice-is-refused",
    "The same attack on the event itself.",
    '{"event":{"action":"ping","action":"rm_rf","args":{}},"id":"twice","v":1}',
  ),
  refused(
    "a-key-twice-is-refused-however-deep",
    "A check of the top level alone is no check.",
    '{"event":{"action":"ping","args":{"list":[{"deep":{"a":1,"b":2,"a":3}}]}},"id":"twice","v":1}',
  ),
  refused(
    "two-proto-keys-are-refused",
    "__proto__ is an ordinary key, so twice is twice.",
    '{"event":{"action":"ping","args":{"__proto__":1,"__proto__":2}},"id":"twice","v":1}',
  ),
  frame(
    "equal-keys-of-two-objects-are-no-duplicate",
    "The control of the entries above.",
    '{"event":{"action":"ping","args":{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"{\\"a\\":1,\\"a\\":2}"}},"id":"once","v":1}',
    allowed("once"),
  ),
  refused("nan-is-refused", "JSON has no NaN.", '{"event":{"action":"ping","args":{"amount":NaN}},"id":"nan","v":1}'),
  refused(
    "infinity-is-refused",
    "JSON has no Infinity.",
    '{"event":{"action":"ping","args":{"amount":-Infinity}},"id":"inf","v":1}',
  ),
  refused(
    "a-trailing-comma-is-refused",
    "A lenient parser is a second grammar.",
    '{"event":{"action":"ping","args":{"a":1,}},"id":"comma","v":1}',
  ),
  refused(
    "a-comment-is-refused",
    "A lenient parser is a second grammar.",
    '{"event":{"action":"ping","args":{/**/}},"id":"comment","v":1}',
  ),
  refused(
    "single-quotes-are-refused",
    "A lenient parser is a second grammar.",
    "{'event':{'action':'ping','args':{}},'id':'single','v':1}",
  ),
  refused("a-raw-control-character-in-text-is-refused", "JSON wants it escaped.", [
    '{"event":{"action":"ping","args":{"path":"a',
    { hex: "00" },
    'b"}},"id":"control","v":1}',
  ]),
  refused(
    "a-leading-zero-is-refused",
    "010 is eight to some readers.",
    '{"event":{"action":"ping","args":{"amount":010}},"id":"octal","v":1}',
  ),
  frame(
    "an-id-is-echoed-as-it-is",
    "Quotes, controls and any script: the id is the client's.",
    '{"event":{"action":"ping","args":{}},"id":"a\\"b\\\\c\\n\\u20ac \\ud83d\\ude00","v":1}',
    { answer: { id: 'a"b\\c\n\u20ac \u{1f600}', verdict: "ALLOW" } },
  ),
  refused("an-id-with-a-lone-surrogate-is-refused", "It could not be echoed.", withId('"\\ud800"'), ""),
  frame(
    "a-version-of-1.0-is-version-1",
    "A number is its value; v1 reads it so too.",
    '{"event":{"action":"ping","args":{}},"id":"one","v":1.0}',
    allowed("one"),
  ),
  refused("a-line-of-spaces-is-refused", "White space alone is no frame.", " \t ", ""),
  refused("a-line-of-cr-is-refused", "Nor is a line break of another system.", "\r", ""),
  refused(
    "a-proto-key-beside-the-event-is-refused",
    "An own key of that name is an unknown key, and inherits nothing to the frame.",
    '{"__proto__":{"event":{"action":"ping","args":{}}},"id":"proto","v":1}',
    "proto",
  ),
  refused(
    "a-proto-key-in-the-event-is-refused",
    "The same inside the event: action and args are not inherited.",
    '{"event":{"__proto__":{"action":"ping","args":{}}},"id":"proto","v":1}',
    "proto",
  ),
  frame(
    "an-action-named-proto-is-a-name",
    "Names of what every object inherits are names like others.",
    '{"event":{"action":"__proto__","args":{"constructor":1,"hasOwnProperty":2,"toString":3,"":4}},"id":"names","v":1}',
    allowed("names"),
  ),
];
