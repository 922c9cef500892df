import type { Conduct, Misbehaviour } from "./conduct.ts";
import { misbehaviour } from "./conduct.ts";
import { errorText, type Peer } from "./peer.ts";

/** Answers the first frame with this, be it a hello or the question of a client that says none; later questions with ALLOW. */
const greeting = (text: (peer: Peer, id: string) => string): Conduct => ({
  onHello: (peer, { id }) => peer.write(text(peer, id)),
  onQuestion: (peer, { id }) => peer.write(peer.features === null ? text(peer, id) : `${peer.allow(id)}\n`),
});

/** Answers to the hello that a client must not build on. A client without hello gets them as the answer to its question. */
export const helloMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour(
    "hello-answered-by-an-event-answer",
    "The hello is answered with an ALLOW of the hello's id. A client without hello is answered with a hello.",
    {
      onHello: (peer, { id }) => peer.write(`${peer.allow(id)}\n`),
      onQuestion: (peer, { id }) => peer.write(peer.features === null ? peer.hello(id) : `${peer.allow(id)}\n`),
    },
  ),
  misbehaviour("question-answered-by-a-hello", "The question is answered with a hello of its id.", {
    onQuestion: (peer, { id }) => peer.write(peer.hello(id)),
  }),
  misbehaviour("question-answered-by-health", "The question is answered with a health answer of its id.", {
    onQuestion: (peer, { id }) =>
      peer.write(
        `${JSON.stringify({ health: { receipts: 0, reload: { count: 0, message: "", ok: true }, rules: "", rules_version: 1, status: "serving", uptime_s: 1 }, id, v: 1 })}\n`,
      ),
  }),
  misbehaviour(
    "hello-answered-twice",
    "Two answers to one hello in one write.",
    greeting((peer, id) => peer.hello(id).repeat(2)),
  ),
  misbehaviour(
    "hello-of-unasked-features",
    "The daemon claims features that the client did not offer.",
    greeting((peer, id) =>
      peer.hello(id, { features: [...(peer.features ?? []), "replay", "surface", "time_travel"] }),
    ),
  ),
  misbehaviour(
    "hello-of-offline-unasked",
    "The daemon wants to be told what the client, which decides nothing without it, did not offer to tell.",
    greeting((peer, id) => peer.hello(id, { features: [...(peer.features ?? []), "offline"] })),
  ),
  misbehaviour(
    "hello-of-features-as-text",
    "Features are a list.",
    greeting((peer, id) => peer.hello(id, { features: "resend" })),
  ),
  misbehaviour(
    "hello-of-another-id",
    "A hello that answers somebody else.",
    greeting((peer) => peer.hello("somebody-else")),
  ),
  misbehaviour(
    "hello-of-version-2",
    "Another version.",
    greeting((peer, id) => peer.hello(id, {}, { v: 2 })),
  ),
  misbehaviour(
    "hello-with-an-unknown-key",
    "What the client does not know may carry a demand.",
    greeting((peer, id) => peer.hello(id, { demand: "trust me" })),
  ),
  misbehaviour(
    "hello-with-an-unknown-top-level-key",
    "The same beside it.",
    greeting((peer, id) => peer.hello(id, {}, { demand: "trust me" })),
  ),
  misbehaviour(
    "hello-without-features",
    "Nothing was agreed.",
    greeting((peer, id) => peer.hello(id, { features: undefined })),
  ),
  misbehaviour(
    "hello-and-verdict",
    "A hello that is an ALLOW too.",
    greeting((peer, id) => peer.hello(id, {}, peer.answer(id))),
  ),
  misbehaviour(
    "hello-of-junk",
    "Not JSON.",
    greeting(() => "welcome\n"),
  ),
  misbehaviour(
    "hello-refused-as-internal",
    "Only bad_request means that a daemon knows no hello; any other error is a daemon that is not well.",
    greeting((_peer, id) => `${errorText(id, "internal")}\n`),
  ),
  misbehaviour(
    "hello-refused-for-its-token",
    "The hello is refused as one whose token is over, and what follows is allowed: whoever asks on asks as somebody else.",
    greeting((_peer, id) => `${errorText(id, "token_expired")}\n`),
  ),
  misbehaviour(
    "hello-that-compares-scopes-unasked",
    "The daemon agrees to compare a scope document that the client did not pin.",
    greeting((peer, id) => peer.hello(id, { features: [...(peer.features ?? []), "scope"].sort() })),
  ),
  misbehaviour(
    "scope-mismatch-and-verdict",
    "The question is refused as one under another scope document, and then allowed under the same id.",
    {
      onQuestion: (peer, { id }) => {
        peer.write(`${errorText(id, "scope_mismatch")}\n`);
        peer.write(`${peer.allow(id)}\n`);
      },
    },
  ),
  misbehaviour(
    "hello-half-then-hang",
    "Half a hello.",
    greeting((peer, id) => peer.hello(id).slice(0, 60)),
  ),
  misbehaviour("hello-then-close", "A proper hello, and the end.", {
    onHello: (peer, { id }) => {
      peer.write(peer.hello(id));
      peer.close();
    },
    onQuestion: (peer) => peer.close(),
  }),
];
