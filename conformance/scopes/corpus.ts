import { scopePin } from "../../wire/scope-pin.ts";
import { corpusKey, signed } from "../fallback/signing.ts";
import type { PinEntry, ScopeCorpus } from "./format.ts";

const ours = corpusKey("scopes");
const next = corpusKey("scopes, the next");
const theirs = corpusKey("somebody else's");

/** Files of public keys that a client is given. */
const keys: Readonly<Record<string, string>> = {
  ours: ours.pem,
  both: `# ours, and the next\n${ours.pem}${next.pem}`,
  empty: "# none\n",
  junk: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
  "with-more": `${ours.pem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
};

const payload =
  '{"created":"2026-11-30T00:00:00Z","id":"acme","not_after":"2027-01-31T12:00:00Z","scopes":{},"templates":{},"v":1,"version":7}';
const endless = payload.replace('"2027-01-31T12:00:00Z"', "null");
const wide = payload.replace('"acme"', '"\\u00e4\\u20ac"');
const ending = (not_after: string): string =>
  signed(payload.replace("2027-01-31T12:00:00Z", not_after), [ours], "scopes");
const good = signed(payload, [ours], "scopes");
const now = "2026-12-15T00:00:00.000Z";

const altered = (change: (text: string) => string): string => {
  const document = JSON.parse(good) as { payload: string };
  return JSON.stringify({ ...document, payload: change(document.payload) });
};

type Row = readonly [name: string, document: string, expect: string, note: string, rest?: Partial<PinEntry>];

const accepted = (text: string): string => scopePin(text);

const rows: readonly Row[] = [
  ["good", good, accepted(payload), "As it was signed."],
  [
    "spaced",
    JSON.stringify(JSON.parse(good), null, 2),
    accepted(payload),
    "The file's form is not signed; its payload is.",
  ],
  ["without-end", signed(endless, [ours], "scopes"), accepted(endless), "It never expires."],
  [
    "beyond-ascii",
    signed(wide, [ours], "scopes"),
    accepted(wide),
    "The pin is of the UTF-8 of what is signed, as it stands there.",
  ],
  [
    "two-signatures",
    signed(payload, [theirs, ours], "scopes"),
    accepted(payload),
    "One of ours is enough; the pin is the same.",
  ],
  ["next-key", signed(payload, [next], "scopes"), accepted(payload), "By the second key of the file.", { key: "both" }],
  ["last-moment", good, accepted(payload), "A millisecond before its end.", { now: "2027-01-31T11:59:59.999Z" }],
  ["expired", good, "expired", "At its end.", { now: "2027-01-31T12:00:00.000Z" }],
  ["other-key", signed(payload, [theirs], "scopes"), "unknown_key", "Signed by a key that the client does not have."],
  ["altered-id", altered((text) => text.replace("acme", "acne")), "bad_signature", "Another id."],
  ["altered-space", altered((text) => `${text} `), "bad_signature", "Even a space."],
  [
    "one-of-two-altered",
    JSON.stringify({
      ...JSON.parse(good),
      signatures: [...JSON.parse(good).signatures, JSON.parse(signed(`${payload} `, [next], "scopes")).signatures[0]],
    }),
    "bad_signature",
    "One of the client's two keys has signed another text: a sign of tampering.",
    { key: "both" },
  ],
  ["other-kind", signed(payload, [ours], "fallback"), "malformed", "A document of another kind."],
  [
    "other-kind-renamed",
    signed(payload, [ours], "fallback").replace('"document":"fallback"', '"document":"scopes"'),
    "bad_signature",
    "The kind is part of what is signed.",
  ],
  ["empty", "", "malformed", "An empty file."],
  ["half", good.slice(0, good.length / 2), "malformed", "Half a file."],
  ["payload-alone", payload, "malformed", "Unsigned."],
  ["key-twice", good.replace('{"document"', '{"payload":"x","document"'), "malformed", "A key twice."],
  ["signed-junk", signed("junk", [ours], "scopes"), "malformed", "Signed, and no JSON."],
  ["signed-version-2", signed(payload.replace('"v":1', '"v":2'), [ours], "scopes"), "malformed", "Of another version."],
  ["signed-end-of-junk", ending("soon"), "malformed", "An end that is no time."],
  ["signed-end-of-a-year", ending("2027"), "malformed", "An end in another form."],
  ["signed-end-in-milliseconds", ending("2027-01-31T12:00:00.000Z"), "malformed", "A fallback policy's form."],
  ["signed-end-elsewhere", ending("2027-01-31T12:00:00+01:00"), "malformed", "Not in UTC."],
  ["signed-end-in-no-month", ending("2027-02-30T12:00:00Z"), "malformed", "A day that no month has."],
  ["signed-without-end", signed('{"v":1}', [ours], "scopes"), "malformed", "Nothing is said of its end."],
  ["no-key", good, "key_malformed", "A key file without a key.", { key: "empty" }],
  ["junk-key", good, "key_malformed", "A key that is none.", { key: "junk" }],
  ["private-key", good, "key_malformed", "A client holds no private key.", { key: "with-more" }],
];

export const scopeCorpus: ScopeCorpus = {
  scopes_version: 1,
  keys,
  documents: rows.map(([name, document, expect, note, rest = {}]) => ({
    name,
    note,
    document,
    key: "ours",
    now,
    expect,
    ...rest,
  })),
};

/** ASCII, so that no reader has to guess an encoding. */
export const scopeCorpusText = (): string => `${JSON.stringify(scopeCorpus, null, 2)}\n`;
