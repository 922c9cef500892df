import { connect, exchange, type Line, ping, receive, send } from "./authoring.ts";
import type { Entry } from "./format.ts";

const shown = (token: string): string =>
  `{"hello":{"client":"conformance/1","features":[],"token":${token}},"id":"h","v":1}\n`;

/** Signed, and whole, by a key that no daemon of these entries trusts; its times are of the year 2033. */
const strangers =
  '"eyJhbGciOiJFZERTQSIsImtpZCI6IjAwMDAwMDAwMDAwMDAwMDAiLCJ0eXAiOiJpbnRlcmxvY2srand0In0.' +
  "eyJhdWQiOiJoZXJlIiwiZXhwIjoyMDAwMDAwOTAwLCJpYXQiOjIwMDAwMDAwMDAsImp0aSI6ImoiLCJuYmYiOjIwMDAwMDAwMDAsInN1YiI6ImFjbWUifQ." +
  `${"A".repeat(86)}"`;

/** The daemon answers with this error, ends the connection, and judges nothing that came behind the hello. */
const refused = (name: string, note: string, code: string, hello: Line): Entry =>
  exchange(name, note, [
    connect(),
    send(typeof hello === "string" ? [hello, ping("behind")] : [...hello, ping("behind")]),
    receive([{ error: code, id: "h", never_contains: ["conformance"] }]),
    { do: "closed", on: "a" },
  ]);

/** A hello with a token that is none of this daemon's. `bad_request` is for daemons without tokens, and is never said of one. */
export const tokenEntries: readonly Entry[] = [
  refused("a-token-that-is-text-of-anything-is-refused", "It is no token.", "token_malformed", shown('"secret"')),
  refused("an-empty-token-is-refused", "Nobody is bound to nothing.", "token_malformed", shown('""')),
  refused("a-token-that-is-a-number-is-refused", "A token is text.", "token_malformed", shown("7")),
  refused("a-token-of-null-is-refused", "Left out is how no token is said.", "token_malformed", shown("null")),
  refused("a-token-of-8193-bytes-is-refused", "One byte too long to be read.", "token_malformed", [
    '{"hello":{"client":"conformance/1","features":[],"token":"',
    { repeat: "x", times: 8193 },
    '"},"id":"h","v":1}\n',
  ]),
  refused(
    "a-token-without-a-signature-is-refused",
    "The algorithm none is none.",
    "token_malformed",
    shown(`"${Buffer.from('{"alg":"none","typ":"interlock+jwt"}').toString("base64url")}.e30."`),
  ),
  refused(
    "a-token-of-a-key-that-nobody-trusts-is-refused",
    "A well-formed token is worth what its key is.",
    "token_unknown_key",
    shown(strangers),
  ),
];
