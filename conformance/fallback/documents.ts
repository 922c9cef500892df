import { createHash } from "node:crypto";
import type { DocumentEntry } from "./format.ts";
import { payload, policies, rule } from "./policies.ts";
import { corpusKey, signed } from "./signing.ts";

const ours = corpusKey("fallback");
const next = corpusKey("fallback, the next");
const theirs = corpusKey("somebody else's");

/** PEM of what a client is given: one key, or two while they change. */
export const keys: Readonly<Record<string, string>> = {
  ours: ours.pem,
  theirs: theirs.pem,
  both: `# ours, and the next\n${ours.pem}${next.pem}`,
};

const work = policies.work as string;
const good = signed(work, [ours]);
const now = "2026-12-15T00:00:00.000Z";
const digest = (text: string): string => `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
const seenOf = (version: number, text: string, id = "prod") => ({ id, version, digest: digest(text) });

const begins = payload({ not_before: "2026-12-20T00:00:00.000Z", rules: [rule({})] });

const altered = (
  change: (document: { payload: string; signatures: { key_id: string; signature: string }[] }) => void,
) => {
  const document = JSON.parse(good);
  change(document);
  return JSON.stringify(document);
};

type Row = readonly [name: string, document: string, expect: string, note: string, rest?: Partial<DocumentEntry>];

const rows: readonly Row[] = [
  ["good", good, "accepted", "As it was signed."],
  ["spaced", JSON.stringify(JSON.parse(good), null, 2), "accepted", "The file's form is not signed; its payload is."],
  ["two-signatures", signed(work, [theirs, ours]), "accepted", "One of ours is enough."],
  ["next-key", signed(work, [next]), "accepted", "By the second key of the file.", { key: "both" }],
  ["seen-before", good, "accepted", "The same as before.", { seen: seenOf(7, work) }],
  ["seen-older", good, "accepted", "Newer than before.", { seen: seenOf(6, "another") }],
  ["last-moment", good, "accepted", "A millisecond before its end.", { now: "2027-01-31T11:59:59.999Z" }],
  ["before-created", good, "accepted", "The signer's clock is not the client's.", { now: "2026-11-01T00:00:00.000Z" }],
  ["begun", signed(begins, [ours]), "accepted", "At its beginning.", { now: "2026-12-20T00:00:00.000Z" }],
  ["expired", good, "fallback_expired", "At its end.", { now: "2027-01-31T12:00:00.000Z" }],
  ["not-yet", signed(begins, [ours]), "fallback_not_yet_valid", "Before its beginning."],
  ["other-key", good, "fallback_wrong_key", "The client has another key.", { key: "theirs" }],
  ["signed-by-others", signed(work, [theirs]), "fallback_wrong_key", "Signed by a key that the client does not have."],
  [
    "key-id-of-ours",
    altered(({ signatures }) => {
      const [only] = signatures;
      if (only !== undefined) only.signature = JSON.parse(signed(work, [theirs])).signatures[0].signature;
    }),
    "fallback_bad_signature",
    "Another key's signature under our key's id.",
  ],
  [
    "altered-payload",
    altered((document) => {
      document.payload = document.payload.replace("/opt/app/", "/opt/pay/");
    }),
    "fallback_bad_signature",
    "One directory is another.",
  ],
  [
    "altered-end",
    altered((document) => {
      document.payload = document.payload.replace("2027-01-31", "2028-01-31");
    }),
    "fallback_bad_signature",
    "A year longer.",
  ],
  [
    "altered-space",
    altered((document) => {
      document.payload = `${document.payload} `;
    }),
    "fallback_bad_signature",
    "Even a space.",
  ],
  [
    "altered-signature",
    altered(({ signatures }) => {
      const [only] = signatures;
      const bytes = Buffer.from(only?.signature ?? "", "base64");
      bytes[3] = (bytes[3] ?? 0) ^ 1;
      if (only !== undefined) only.signature = bytes.toString("base64");
    }),
    "fallback_bad_signature",
    "One bit of the signature.",
  ],
  ["other-kind", signed(work, [ours], "scopes"), "fallback_malformed", "A document of another kind."],
  [
    "other-kind-renamed",
    signed(work, [ours], "scopes").replace('"document":"scopes"', '"document":"fallback"'),
    "fallback_bad_signature",
    "The kind is part of what is signed.",
  ],
  [
    "one-of-two-altered",
    altered((document) => {
      const [, second] = JSON.parse(signed(`${work} `, [ours, next])).signatures;
      document.signatures.push(second);
    }),
    "fallback_bad_signature",
    "One of the client's two keys has signed another text: a sign of tampering.",
    { key: "both" },
  ],
  ["empty", "", "fallback_malformed", "An empty file."],
  ["half", good.slice(0, good.length / 2), "fallback_malformed", "Half a file."],
  ["payload-alone", work, "fallback_malformed", "Unsigned."],
  ["payload-object", altered((document) => Object.assign(document, { payload: {} })), "fallback_malformed", "No text."],
  ["extra-key", altered((document) => Object.assign(document, { note: "x" })), "fallback_malformed", "A key more."],
  ["no-signatures", altered((document) => document.signatures.splice(0)), "fallback_malformed", "Without any."],
  [
    "same-signature-twice",
    altered(({ signatures }) => signatures.push(...signatures)),
    "fallback_malformed",
    "Two signatures of one key.",
  ],
  [
    "short-signature",
    altered(({ signatures }) => Object.assign(signatures[0] ?? {}, { signature: "AAAA" })),
    "fallback_malformed",
    "Not 64 bytes.",
  ],
  ["signed-junk", signed("junk", [ours]), "fallback_malformed", "Signed, and no policy."],
  [
    "signed-unknown",
    signed(payload({ rules: [rule({ unless: 1 })] }), [ours]),
    "fallback_malformed",
    "An unknown key.",
  ],
  ["rolled-back", good, "fallback_rolled_back", "Older than was seen.", { seen: seenOf(8, "newer") }],
  ["same-version", good, "fallback_rolled_back", "Another text of the same version.", { seen: seenOf(7, `${work} `) }],
  ["other-policy", good, "fallback_other_policy", "Another policy's id.", { seen: seenOf(1, "x", "stage") }],
  [
    "old-and-expired",
    good,
    "fallback_rolled_back",
    "What was seen comes before the time.",
    { seen: seenOf(8, "newer"), now: "2028-01-01T00:00:00.000Z" },
  ],
];

export const documents: readonly DocumentEntry[] = rows.map(([name, document, expect, note, rest = {}]) => ({
  name,
  note,
  document,
  key: "ours",
  now,
  seen: null,
  expect,
  ...rest,
}));
