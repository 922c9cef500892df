import { answering, type Conduct, type Misbehaviour, misbehaviour } from "./conduct.ts";
import { errorText } from "./peer.ts";

const MAX_LINE = 8 * 1024 * 1024;

const around = (before: string | Buffer, after: string): Conduct =>
  answering((peer, id) => Buffer.concat([Buffer.from(before), Buffer.from(`${peer.allow(id)}${after}\n`)]));

const error = (body: (id: string) => unknown): Conduct => answering((_peer, id) => `${JSON.stringify(body(id))}\n`);

/** Lines that are no answer: other encodings, other grammars, other sizes; and error frames, which always block. */
export const textMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour(
    "junk-bytes",
    "Random-looking bytes and a newline.",
    answering(() => Buffer.from("9f8e00ff41b2c3d4e5f60a", "hex")),
  ),
  misbehaviour("byte-order-mark", "A BOM before an ALLOW.", around(Buffer.from("efbbbf", "hex"), "")),
  misbehaviour("nul-byte-first", "A NUL before an ALLOW.", around(Buffer.from([0]), "")),
  misbehaviour(
    "invalid-utf-8",
    "An ALLOW whose reason holds a byte that is no text.",
    answering((peer, id) => {
      const [before, after] = peer.allow(id, { reason: "@" }).split("@") as [string, string];
      return Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(`${after}\n`)]);
    }),
  ),
  misbehaviour(
    "utf-16",
    "An ALLOW in UTF-16.",
    answering((peer, id) => Buffer.from(`${peer.allow(id)}\n`, "utf16le")),
  ),
  misbehaviour(
    "lone-surrogate",
    "An ALLOW whose reason has no UTF-8.",
    answering((peer, id) => `${peer.allow(id, { reason: "@" }).replace("@", "\\ud800")}\n`),
  ),
  misbehaviour("empty-line-first", "An empty line is a malformed frame, whatever follows it.", around("\n", "")),
  misbehaviour("trailing-bytes", "An ALLOW and further bytes on its line.", around("", " ok")),
  misbehaviour(
    "two-objects-on-one-line",
    "An ALLOW and a BLOCK without a newline between.",
    answering((peer, id) => `${peer.allow(id)}${peer.allow(id, { verdict: 1 })}\n`),
  ),
  misbehaviour("list-of-one-answer", "An ALLOW inside a list.", around("[", "]")),
  misbehaviour(
    "answer-as-text",
    "An ALLOW as a JSON string.",
    answering((peer, id) => `${JSON.stringify(peer.allow(id))}\n`),
  ),
  misbehaviour(
    "null-answer",
    "Null.",
    answering(() => "null\n"),
  ),
  misbehaviour(
    "number-answer",
    "0, the integer of ALLOW.",
    answering(() => "0\n"),
  ),
  misbehaviour(
    "empty-object",
    "An object without a key.",
    answering(() => "{}\n"),
  ),
  misbehaviour(
    "trailing-comma",
    "Not JSON, though many parsers take it.",
    answering((peer, id) => `${peer.allow(id).replace(/\}$/, ",}")}\n`),
  ),
  misbehaviour("comment", "Not JSON, though many parsers take it.", around("", "//allowed")),
  misbehaviour(
    "single-quotes",
    "Not JSON.",
    answering((peer, id) => `${peer.allow(id).replaceAll('"', "'")}\n`),
  ),
  misbehaviour(
    "oversized-answer",
    "An ALLOW of one byte more than 8 MiB.",
    answering((peer, id) => {
      const bare = Buffer.byteLength(`${peer.allow(id)}\n`);
      return `${peer.allow(id, { reason: "x".repeat(MAX_LINE + 1 - bare) })}\n`;
    }),
  ),
  misbehaviour(
    "endless-line",
    "9 MiB without a newline, then an ALLOW: what is buffered has a bound.",
    answering((peer, id) => `${" ".repeat(MAX_LINE + 1024 * 1024)}${peer.allow(id)}\n`),
  ),
  misbehaviour(
    "bomb-of-brackets",
    "A million levels.",
    answering(() => `${"[".repeat(1_000_000)}\n`),
  ),
  misbehaviour(
    "error-bad-request",
    "An error frame.",
    error((id) => ({ error: { code: "bad_request", message: "no" }, id, v: 1 })),
  ),
  misbehaviour(
    "error-of-an-unknown-code",
    "An error frame of a later version.",
    error((id) => ({ error: { code: "teapot", message: "" }, id, v: 1 })),
  ),
  misbehaviour(
    "error-with-an-empty-id",
    "An error about a frame whose id was not read.",
    error(() => ({ error: { code: "internal", message: "" }, id: "", v: 1 })),
  ),
  misbehaviour(
    "error-with-another-id",
    "An error frame that names another question.",
    error(() => ({ error: { code: "internal", message: "" }, id: "somebody-else", v: 1 })),
  ),
  misbehaviour(
    "error-null",
    "An error that is null is an error.",
    answering((peer, id) => `${peer.allow(id, { error: null })}\n`),
  ),
  misbehaviour(
    "error-text",
    "An error that is text.",
    error((id) => ({ error: "no", id, v: 1 })),
  ),
  misbehaviour(
    "error-without-a-code",
    "An error that is empty.",
    error((id) => ({ error: {}, id, v: 1 })),
  ),
  misbehaviour(
    "error-and-allow",
    "An error and an ALLOW in one object: the error counts.",
    answering((peer, id) => `${peer.allow(id, { error: { code: "internal", message: "" } })}\n`),
  ),
  misbehaviour(
    "error-then-allow",
    "An error frame and then an ALLOW of the same id.",
    answering((peer, id) => `${errorText(id, "internal")}\n${peer.allow(id)}\n`),
  ),
];
