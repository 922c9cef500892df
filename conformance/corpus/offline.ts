import { connect, exchange, hello, helloed, ping, receive, refused, send } from "./authoring.ts";
import type { Entry } from "./format.ts";

/** One decision of a client without a daemon; its id is this number. */
const offlineDecision = (at: number): string =>
  `{"action":"read_file","args_commitment":"sha256:${"ab".repeat(32)}","at_ms":1796040000000,"call_id":null,` +
  `"id":"${String(at).padStart(32, "0")}","parent_principal":null,"phase":"call","policy":"prod@7","principal":"p",` +
  `"rule":"reads","salt":"${"cd".repeat(16)}","verdict":"ALLOW"}`;

const offline = (id: string, decisions: string): string =>
  `{"id":"${id}","offline":{"decisions":[${decisions}]},"v":1}`;

/** What a client tells that decided by its fallback policy while it could not reach the daemon. */
export const offlineEntries: readonly Entry[] = [
  refused(
    "an-offline-without-the-feature-is-refused",
    "Not negotiated, so not known.",
    offline("o", offlineDecision(1)),
    "o",
  ),
  exchange(
    "what-was-decided-offline-is-recorded-and-may-be-told-again",
    "A client that lost the answer tells again: it is recorded once, and the answer is the same.",
    [
      connect(),
      send(hello("h", '["details","offline"]')),
      receive([{ like: { hello: { features: ["details", "offline"] } } }]),
      send(`${offline("one", `${offlineDecision(2)},${offlineDecision(3)}`)}\n`),
      receive([{ answer: { id: "one", verdict: "ALLOW", details: { code: "offline_recorded", replayed: false } } }]),
      send(`${offline("two", `${offlineDecision(3)},${offlineDecision(4)}`)}\n`),
      receive([{ answer: { id: "two", verdict: "ALLOW", details: { code: "offline_recorded", replayed: false } } }]),
    ],
  ),
  exchange(
    "an-offline-decision-is-read-strictly",
    "Nothing of a frame is recorded where one decision is not well-formed.",
    [
      connect(),
      send(hello("h", '["details","offline"]')),
      receive([helloed("h")]),
      send('{"id":"none","offline":{"decisions":[]},"v":1}\n'),
      receive([{ error: "bad_request", id: "none" }]),
      send(`${offline("twice", `${offlineDecision(5)},${offlineDecision(5)}`)}\n`),
      receive([{ error: "bad_request", id: "twice" }]),
      send(`${offline("value", offlineDecision(6).replace('{"action"', '{"args":{"path":"/srv"},"action"'))}\n`),
      receive([{ error: "bad_request", id: "value", never_contains: ["/srv"] }]),
      send(`${offline("rewrite", offlineDecision(7).replace('"ALLOW"', '"MODIFY"'))}\n`),
      receive([{ error: "bad_request", id: "rewrite" }]),
      send(ping("after")),
      receive([{ like: { id: "after", verdict: 0 } }]),
    ],
  ),
];
