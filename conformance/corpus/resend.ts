import { connect, exchange, hello, helloed, receive, request, send } from "./authoring.ts";
import type { Entry, FrameExpectation, Step } from "./format.ts";

const count = (id: string, args = "{}"): string => request(id, `{"action":"count","args":${args}}`);

const again = (on: string, nonce = "main", features = '["resend"]'): readonly Step[] => [
  connect(on),
  send(hello("h", features, nonce), on),
  receive([helloed("h")], on),
];

const decided = (id: string, more: Partial<FrameExpectation> = {}): FrameExpectation =>
  ({ like: { id, policy_id: "p.count", verdict: 1 }, ...more }) as FrameExpectation;

/** A question that was not answered is asked once more, and never decided twice. */
export const resendEntries: readonly Entry[] = [
  exchange("a-resend-returns-the-same-decision", "The same nonce, id and question on a new connection.", [
    ...again("a"),
    send(count("q1"), "a"),
    receive([decided("q1", { save: "first" })], "a"),
    { do: "drop", on: "a" },
    ...again("b"),
    send(count("q1"), "b"),
    receive([decided("q1", { same_as: "first" })], "b"),
    send(count("q2"), "b"),
    receive([decided("q2", { differs_from: "first" })], "b"),
  ]),
  exchange("a-resend-works-while-the-first-connection-lives", "The daemon need not have noticed that it is gone.", [
    ...again("a"),
    send(count("q1"), "a"),
    receive([decided("q1", { save: "first" })], "a"),
    ...again("b"),
    send(count("q1"), "b"),
    receive([decided("q1", { same_as: "first" })], "b"),
  ]),
  exchange("a-resent-rewrite-is-the-same-rewrite", "The arguments that will run come back too.", [
    ...again("a", "main", '["replace_args","resend"]'),
    send(request("w1", '{"action":"compose","args":{"title":"a"}}'), "a"),
    receive(
      [{ like: { id: "w1", modified_args: { title: "a", first: 1, second: 2 }, verdict: 2 }, save: "first" }],
      "a",
    ),
    { do: "drop", on: "a" },
    ...again("b", "main", '["replace_args","resend"]'),
    send(request("w1", '{"action":"compose","args":{"title":"a"}}'), "b"),
    receive([{ any: true, same_as: "first" }], "b"),
  ]),
  exchange("an-id-used-for-another-question-blocks", "Else a harmless call's ALLOW would cover another one.", [
    ...again("a"),
    send(request("q1", '{"action":"ping","args":{"path":"/tmp/a"}}'), "a"),
    receive([{ answer: { id: "q1", verdict: "ALLOW" } }], "a"),
    ...again("b"),
    send(request("q1", '{"action":"ping","args":{"path":"/etc/shadow"}}'), "b"),
    receive([{ answer: { id: "q1", verdict: "BLOCK", reason_contains: [] } }], "b"),
  ]),
  exchange("an-id-used-for-another-action-blocks", "The action is part of the question.", [
    ...again("a", "main", '["details","resend"]'),
    send(request("q1", '{"action":"ping","args":{}}'), "a"),
    receive([{ like: { id: "q1", verdict: 0 } }], "a"),
    ...again("b", "main", '["details","resend"]'),
    send(request("q1", '{"action":"pong","args":{}}'), "b"),
    receive([{ like: { details: { code: "resend_mismatch" }, id: "q1", verdict: 1 } }], "b"),
  ]),
  exchange("an-id-used-by-another-principal-blocks", "Who asks is part of the question.", [
    ...again("a"),
    send(request("q1", '{"action":"ping","args":{},"principal":"alice"}'), "a"),
    receive([{ like: { id: "q1", verdict: 0 } }], "a"),
    ...again("b"),
    send(request("q1", '{"action":"ping","args":{},"principal":"mallory"}'), "b"),
    receive([{ like: { id: "q1", verdict: 1 } }], "b"),
  ]),
  exchange("an-id-used-for-the-result-blocks", "The phase is part of the question.", [
    ...again("a"),
    send(request("q1", '{"action":"ping","args":{}}'), "a"),
    receive([{ like: { id: "q1", verdict: 0 } }], "a"),
    ...again("b"),
    send(request("q1", '{"action":"ping","args":{},"phase":"result"}'), "b"),
    receive([{ like: { id: "q1", verdict: 1 } }], "b"),
  ]),
  exchange("another-nonce-is-another-session", "Ids belong to the session that made them.", [
    ...again("a", "one"),
    send(count("q1"), "a"),
    receive([decided("q1", { save: "first" })], "a"),
    ...again("b", "two"),
    send(count("q1"), "b"),
    receive([decided("q1", { differs_from: "first" })], "b"),
  ]),
  exchange(
    "without-resend-an-id-may-come-again",
    "A v1 client counts from 1 whenever it starts: its ids only match answers.",
    [
      connect("a"),
      send(count("op-1-1"), "a"),
      receive([decided("op-1-1", { save: "first" })], "a"),
      send(count("op-1-1"), "a"),
      receive([decided("op-1-1", { differs_from: "first" })], "a"),
      connect("b"),
      send(count("op-1-1"), "b"),
      receive([decided("op-1-1", { differs_from: "first" })], "b"),
    ],
  ),
  exchange(
    "an-id-still-being-judged-is-answered-once-more",
    "A resend that overtakes its own first answer waits for it.",
    [
      ...again("a"),
      send(request("s1", '{"action":"slow","args":{"armed":true}}'), "a"),
      ...again("b"),
      send(request("s1", '{"action":"slow","args":{"armed":true}}'), "b"),
      receive([{ answer: { id: "s1", verdict: "BLOCK", reason: "slow but sure", policy_id: "p.slow" } }], "b"),
    ],
  ),
  exchange(
    "a-resend-under-other-features-is-not-answered-in-the-old-form",
    "Nine keys are for a client that asked for nine.",
    [
      ...again("a", "main", '["details","replace_args","resend"]'),
      send(request("w1", '{"action":"compose","args":{"title":"a"}}'), "a"),
      receive([{ like: { id: "w1", verdict: 2 } }], "a"),
      { do: "drop", on: "a" },
      ...again("b"),
      send(request("w1", '{"action":"compose","args":{"title":"a"}}'), "b"),
      receive([{ like: { id: "w1", v: 1 }, never_contains: ['"details"'] }], "b"),
    ],
  ),
  exchange(
    "a-resend-without-replace-args-does-not-get-a-removal",
    "The kept answer takes a key away by leaving it out; merged, the key would stay.",
    [
      ...again("a", "main", '["replace_args","resend"]'),
      send(request("d1", '{"action":"drop_key","args":{"secret":"s","title":"a"}}'), "a"),
      receive([{ like: { id: "d1", modified_args: { title: "a" }, verdict: 2 } }], "a"),
      { do: "drop", on: "a" },
      ...again("b"),
      send(request("d1", '{"action":"drop_key","args":{"secret":"s","title":"a"}}'), "b"),
      receive([{ like: { id: "d1", verdict: 1 } }], "b"),
    ],
  ),
];
