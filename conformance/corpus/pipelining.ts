import { allowed, connect, everyFeature, exchange, hello, helloed, ping, receive, request, send } from "./authoring.ts";
import type { Entry, FrameExpectation, Step } from "./format.ts";

const many = 300;
const ids = Array.from({ length: many }, (_, place) => `p${place}`);
const places = Array.from({ length: 40 }, (_, place) => place);
const actions = ["ping", "rm_rf"] as const;
const action = (place: number): string => actions[place % 2] as string;

const answered = (id: string, place: number): FrameExpectation =>
  place % 2 === 0 ? allowed(id) : { answer: { id, verdict: "BLOCK", reason: "tool not permitted" } };

const slow = (id: string): string => request(id, '{"action":"slow","args":{"armed":true}}');
const slowly = (id: string): FrameExpectation => ({
  answer: { id, verdict: "BLOCK", reason: "slow but sure", policy_id: "p.slow" },
});

/** Many questions at once: each answer is found by its id, and nobody waits for somebody else's. */
export const pipeliningEntries: readonly Entry[] = [
  exchange(
    "three-hundred-questions-in-one-write-get-their-own-answers",
    "More than a daemon need hold at once; every answer carries the verdict of its own question.",
    [
      connect(),
      send(hello("h", '["resend"]')),
      receive([helloed("h")]),
      send(ids.map((id, place) => request(id, `{"action":"${action(place)}","args":{}}`)).join("")),
      { do: "receive", on: "a", frames: ids.map(answered), within_ms: 10_000 },
      { do: "silent", on: "a", for_ms: 50 },
    ],
  ),
  exchange(
    "three-hundred-questions-without-hello-are-answered-in-order",
    "A v1 connection is request, then response.",
    [
      connect(),
      send(ids.map((id, place) => request(id, `{"action":"${action(place)}","args":{}}`)).join("")),
      { do: "receive", on: "a", frames: ids.map(answered), order: "given", within_ms: 10_000 },
    ],
  ),
  exchange("a-slow-rule-does-not-mix-up-answers", "Answers may overtake; ids tell them apart.", [
    connect(),
    send(hello("h", '["resend"]')),
    receive([helloed("h")]),
    send(slow("s1") + ping("p1") + slow("s2") + ping("p2")),
    receive([slowly("s1"), allowed("p1"), slowly("s2"), allowed("p2")]),
  ]),
  exchange("without-hello-a-slow-answer-is-not-overtaken", "A client of v1 reads the next line as its answer.", [
    connect(),
    send(slow("s1") + ping("p1")),
    { do: "receive", on: "a", frames: [slowly("s1"), allowed("p1")], order: "given" },
  ]),
  exchange("connections-do-not-share-ids", "The same id on two connections is two questions.", [
    connect("a"),
    connect("b"),
    send(ping("same"), "a"),
    send(request("same", '{"action":"rm_rf","args":{}}'), "b"),
    receive([{ answer: { id: "same", verdict: "BLOCK", reason: "tool not permitted" } }], "b"),
    receive([allowed("same")], "a"),
  ]),
  exchange("connections-do-not-share-features", "What one agreed on does not leak to another.", [
    connect("a"),
    send(hello("h", everyFeature), "a"),
    receive([helloed("h")], "a"),
    connect("b"),
    send(request("v1", '{"action":"rm_rf","args":{}}'), "b"),
    receive([{ answer: { id: "v1", verdict: "BLOCK", reason: "tool not permitted" } }], "b"),
  ]),
  exchange("a-client-that-leaves-hurts-nobody", "Its answers have no reader; the next client has.", [
    connect("a"),
    send(slow("gone"), "a"),
    { do: "drop", on: "a" },
    connect("b"),
    send(ping("here"), "b"),
    receive([allowed("here")], "b"),
  ]),
  exchange("a-half-frame-on-one-connection-delays-no-other", "A slow writer waits for itself.", [
    connect("a"),
    send('{"event":{"action":"ping","args":{', "a"),
    connect("b"),
    send(ping("whole"), "b"),
    receive([allowed("whole")], "b"),
    { do: "silent", on: "a" },
    send('}},"id":"late","v":1}\n', "a"),
    receive([allowed("late")], "a"),
  ]),
  exchange("questions-before-the-end-of-writing-are-answered", "A client may end its side and read on.", [
    connect(),
    send(ping("last")),
    { do: "finish", on: "a" },
    receive([allowed("last")]),
    { do: "closed", on: "a" },
  ]),
  exchange(
    "without-hello-an-error-overtakes-nothing",
    "The error of the second frame is not the answer of the first.",
    [
      connect(),
      send(`${slow("s1")}junk\n`),
      { do: "receive", on: "a", frames: [slowly("s1"), { error: "bad_request", id: "" }], order: "given" },
    ],
  ),
  exchange("forty-connections-are-served-at-once", "None is refused, none waits for another.", [
    ...places.map((place): Step => connect(`c${place}`)),
    ...places.map((place): Step => send(ping(`q${place}`), `c${place}`)),
    ...places.map((place): Step => receive([allowed(`q${place}`)], `c${place}`)),
  ]),
];
