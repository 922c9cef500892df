import { allowed, connect, exchange, ping, receive, request, send } from "./authoring.ts";
import type { Entry, Step } from "./format.ts";

/** Bytes have no message borders: how frames lie in writes, and what an error leaves of a connection. */
export const streamEntries: readonly Entry[] = [
  exchange("an-unterminated-last-line-is-refused", "A stream that ends inside a line sent no frame.", [
    connect(),
    send(ping("half").trimEnd()),
    { do: "finish", on: "a" },
    receive([{ error: "too_large", id: "" }]),
    { do: "closed", on: "a" },
  ]),
  exchange("a-frame-split-over-writes-is-one-frame", "A stream has no message borders, not even inside a character.", [
    connect(),
    send(['{"event":{"action":"read_file","args":{"path":"/etc/passwd', { hex: "c3" }]),
    { do: "wait", ms: 30 },
    send([{ hex: "a9" }, '"}},"id":"spl']),
    { do: "wait", ms: 30 },
    send('it","v":1}'),
    { do: "silent", on: "a", for_ms: 50 },
    send("\n"),
    receive([
      {
        answer: {
          id: "split",
          verdict: "BLOCK",
          reason: "etc is off limits",
          policy_id: "p.no-etc",
          attributed_to: "path",
        },
      },
    ]),
  ]),
  exchange("two-frames-in-one-write-get-two-answers", "Nor does a write have them.", [
    connect(),
    send(ping("one") + request("two", '{"action":"rm_rf","args":{}}')),
    receive([allowed("one"), { answer: { id: "two", verdict: "BLOCK", reason: "tool not permitted" } }]),
  ]),
  exchange("an-error-does-not-spoil-the-connection", "Every error but too_large leaves the connection open.", [
    connect(),
    send('{"v":1,"id":"bad"}\n'),
    receive([{ error: "bad_request", id: "bad" }]),
    send("not json\n"),
    receive([{ error: "bad_request", id: "" }]),
    send(ping("good")),
    receive([allowed("good")]),
  ]),
  exchange("an-error-between-two-questions-answers-neither", "Each of the three gets its own answer.", [
    connect(),
    send(`${ping("before")}{"v":1,"id":"bad","event":{"action":"ping"}}\n${ping("after")}`),
    receive([allowed("before"), { error: "bad_request", id: "bad" }, allowed("after")]),
  ]),
  exchange("a-frame-of-one-byte-at-a-time-is-one-frame", "Forty writes, one answer.", [
    connect(),
    ...[...request("drip", '{"action":"ping","args":{}}')].map((byte): Step => send(byte)),
    receive([allowed("drip")]),
  ]),
];
