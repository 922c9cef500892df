import { answering, type Conduct, type Misbehaviour, misbehaviour } from "./conduct.ts";

const changed = (changes: Readonly<Record<string, unknown>>): Conduct =>
  answering((peer, id) => `${peer.allow(id, changes)}\n`);

/** The verdict's text as it stands, which JSON.stringify would not write. */
const written = (text: string): Conduct =>
  answering((peer, id) => `${peer.allow(id).replace('"verdict":0', `"verdict":${text}`)}\n`);

const without = (key: string): Conduct =>
  answering((peer, id) => {
    const { [key]: _, ...rest } = peer.answer(id);
    return `${JSON.stringify(rest)}\n`;
  });

/** Verdicts that are none, keys that are missing or too many, and values of the wrong type. */
export const verdictMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour("verdict-block", "A proper BLOCK.", changed({ verdict: 1, reason: "no" })),
  misbehaviour("verdict-4", "A verdict of a later version.", changed({ verdict: 4 })),
  misbehaviour(
    "verdict-3-and-nobody-to-ask",
    "ESCALATE, and the caller gave no onEscalate.",
    changed({ verdict: 3, reason: "ask" }),
  ),
  misbehaviour("verdict-minus-1", "A negative integer.", changed({ verdict: -1 })),
  misbehaviour("verdict-256", "An integer that is 0 in a byte.", changed({ verdict: 256 })),
  misbehaviour("verdict-2-to-the-32", "An integer that is 0 in 32 bits.", changed({ verdict: 4_294_967_296 })),
  misbehaviour("verdict-half", "A fraction that a truncation makes ALLOW.", changed({ verdict: 0.5 })),
  misbehaviour("verdict-true", "A boolean is not a number.", changed({ verdict: true })),
  misbehaviour("verdict-false", "False equals 0 in some languages.", changed({ verdict: false })),
  misbehaviour("verdict-null", "Null equals 0 in some languages.", changed({ verdict: null })),
  misbehaviour("verdict-text-0", "A numeric string is not a number.", changed({ verdict: "0" })),
  misbehaviour("verdict-empty-text", "Empty text equals 0 in some languages.", changed({ verdict: "" })),
  misbehaviour("verdict-name", "The verdict's name.", changed({ verdict: "ALLOW" })),
  misbehaviour("verdict-list", "A list of one zero.", changed({ verdict: [0] })),
  misbehaviour("verdict-object", "An object.", changed({ verdict: {} })),
  misbehaviour(
    "verdict-0.0",
    "The number zero by another text. JSON does not tell it from 0 and many languages cannot: either reading is sound.",
    written("0.0"),
    { expect: "either" },
  ),
  misbehaviour("verdict-0e0", "The same with an exponent.", written("0e0"), { expect: "either" }),
  misbehaviour("verdict-minus-0", "The same with a sign.", written("-0"), { expect: "either" }),
  misbehaviour("verdict-00", "A leading zero is not JSON.", written("00")),
  misbehaviour("verdict-hex", "0x0 is not JSON.", written("0x0")),
  misbehaviour("verdict-nan", "NaN is not JSON.", written("NaN")),
  misbehaviour("verdict-1e-400", "A number that underflows to zero.", written("1e-400")),
  misbehaviour("verdict-twice", "BLOCK and then ALLOW under one key.", written('1,"verdict":0')),
  misbehaviour("verdict-twice-escaped", "The second time the key is escaped.", written('1,"\\u0076erdict":0')),
  misbehaviour("missing-verdict", "An answer without a verdict.", without("verdict")),
  misbehaviour("missing-policy-id", "Seven keys.", without("policy_id")),
  misbehaviour("missing-modified-args", "Seven keys: a rewrite may have been lost.", without("modified_args")),
  misbehaviour("missing-modified-result", "Seven keys: a replacement may have been lost.", without("modified_result")),
  misbehaviour("missing-version", "No version.", without("v")),
  misbehaviour("extra-key", "A key that nobody negotiated may carry a condition.", changed({ condition: "only once" })),
  misbehaviour(
    "proto-key",
    "An own key named __proto__ is an unknown key.",
    answering((peer, id) => `${peer.allow(id).replace("{", '{"__proto__":{"verdict":0},')}\n`),
  ),
  misbehaviour(
    "uppercase-keys",
    "Keys are case-sensitive.",
    answering((peer, id) => `${peer.allow(id).replace('"verdict"', '"Verdict"')}\n`),
  ),
  misbehaviour("version-2", "The answer is of another version.", changed({ v: 2 })),
  misbehaviour("version-true", "A boolean is not a number.", changed({ v: true })),
  misbehaviour("version-text", "A numeric string is not a number.", changed({ v: "1" })),
  misbehaviour("reason-number", "A reason is text.", changed({ reason: 7 })),
  misbehaviour("policy-id-number", "A policy id is text or null.", changed({ policy_id: 7 })),
  misbehaviour("attribution-list", "An attribution is text or null.", changed({ attributed_to: ["path"] })),
  misbehaviour(
    "allow-with-arguments",
    "ALLOW and other arguments contradict each other.",
    changed({ modified_args: { path: "/tmp" } }),
  ),
  misbehaviour(
    "allow-with-a-result",
    "ALLOW and another result contradict each other.",
    changed({ modified_result: "x" }),
  ),
  misbehaviour("rewrite-to-a-list", "Arguments are an object.", changed({ verdict: 2, modified_args: [] })),
  misbehaviour("rewrite-to-text", "Arguments are an object.", changed({ verdict: 2, modified_args: "path" })),
  misbehaviour("rewrite-to-a-number", "Arguments are an object.", changed({ verdict: 2, modified_args: 0 })),
  misbehaviour("rewrite-to-false", "Arguments are an object or null.", changed({ verdict: 2, modified_args: false })),
  misbehaviour(
    "rewrite-to-bytes",
    "Arguments that decode to bytes are no object.",
    changed({ verdict: 2, modified_args: { __interlock__: "bytes", b64: "AAH/" } }),
  ),
  misbehaviour(
    "rewrite-with-bad-base64",
    "A rewrite whose bytes cannot be read is no rewrite.",
    changed({ verdict: 2, modified_args: { data: { __interlock__: "bytes", b64: "AA*/" } } }),
  ),
  misbehaviour(
    "rewrite-with-a-key-twice",
    "Two readers, two calls.",
    answering(
      (peer, id) =>
        `${peer.allow(id, { verdict: 2 }).replace('"modified_args":null', '"modified_args":{"path":"/a","path":"/b"}')}\n`,
    ),
  ),
  misbehaviour(
    "rewrite-with-a-large-integer",
    "9007199254740993 would run as 9007199254740992.",
    answering(
      (peer, id) =>
        `${peer.allow(id, { verdict: 2 }).replace('"modified_args":null', '"modified_args":{"amount":9007199254740993}')}\n`,
    ),
  ),
  misbehaviour(
    "rewrite-with-a-lone-surrogate",
    "Text that has no UTF-8.",
    answering(
      (peer, id) =>
        `${peer.allow(id, { verdict: 2 }).replace('"modified_args":null', '"modified_args":{"path":"\\ud800"}')}\n`,
    ),
  ),
  misbehaviour(
    "rewrite-of-200-levels",
    "Nested deeper than the protocol's 128.",
    answering(
      (peer, id) =>
        `${peer.allow(id, { verdict: 2 }).replace('"modified_args":null', `"modified_args":{"a":${"[".repeat(200)}${"]".repeat(200)}}`)}\n`,
    ),
  ),
  misbehaviour(
    "rewrite-of-the-result-of-a-call",
    "MODIFY of a call that replaces a result there is not: what was to be changed would run unchanged.",
    changed({ verdict: 2, modified_result: "redacted" }),
  ),
];
