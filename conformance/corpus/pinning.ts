import { connect, exchange, fresh, helloed, receive, refused, request, send } from "./authoring.ts";
import type { Entry, FrameExpectation } from "./format.ts";

const pin = `sha256:${"a1".repeat(32)}`;

const pinning = (features: string, more: string): string =>
  `{"hello":{"client":"conformance/1","features":${features},"nonce":"${fresh("main")}"${more}},"id":"h","v":1}\n`;

const hello = (more: string, features = '["scope"]'): string =>
  `{"hello":{"client":"conformance/1","features":${features}${more}},"id":"h","v":1}`;

const mismatched = (id: string): FrameExpectation => ({ error: "scope_mismatch", id });

/** A client that holds the daemon to one scope document. The daemon that plays this serves none. */
export const pinningEntries: readonly Entry[] = [
  exchange(
    "a-pinned-scope-document-that-is-not-served-blocks-every-question",
    "The hello is answered; each question is then compared, and told by an error frame: no verdict, no call.",
    [
      connect(),
      send(pinning('["scope","resend","call_id","details"]', `,"scope":"${pin}"`)),
      receive([{ like: { hello: { features: ["call_id", "details", "resend", "scope"] }, id: "h", v: 1 } }]),
      send(request("call", '{"action":"ping","args":{}}')),
      receive([mismatched("call")]),
      send(request("result", '{"action":"ping","args":{"result":1},"phase":"result"}')),
      receive([mismatched("result")]),
      send(request("again", '{"action":"ping","args":{}}')),
      receive([mismatched("again")]),
    ],
  ),
  exchange(
    "a-question-asked-again-under-a-pin-that-is-not-served-is-blocked-again",
    "What was decided without the document is no answer, also where the daemon keeps what it decided.",
    [
      connect(),
      send(pinning('["scope","resend"]', `,"scope":"${pin}"`)),
      receive([helloed("h")]),
      send(request("once", '{"action":"ping","args":{}}')),
      receive([mismatched("once")]),
      connect("b"),
      send(pinning('["scope","resend"]', `,"scope":"${pin}"`), "b"),
      receive([helloed("h")], "b"),
      send(request("once", '{"action":"ping","args":{}}'), "b"),
      receive([mismatched("once")], "b"),
    ],
  ),
  refused(
    "the-feature-scope-without-a-pin-is-refused",
    "Whoever means to pin is never taken for one that does not.",
    hello(""),
    "h",
  ),
  refused(
    "a-pin-without-the-feature-scope-is-refused",
    "It would be taken for one that is compared.",
    hello(`,"scope":"${pin}"`, "[]"),
    "h",
  ),
  refused(
    "a-pin-in-capitals-is-refused",
    "One form, so that two are compared as text.",
    hello(`,"scope":"${pin.toUpperCase()}"`),
    "h",
  ),
  refused("a-pin-of-another-digest-is-refused", "There is one.", hello(',"scope":"sha1:a9993e36"'), "h"),
  refused("a-pin-that-is-null-is-refused", "Absent is how it is said not to be there.", hello(',"scope":null'), "h"),
];
