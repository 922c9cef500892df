import { answering, type Misbehaviour, misbehaviour } from "./conduct.ts";
import type { Peer } from "./peer.ts";

const ignore = (): void => undefined;

/** Writes one byte at a time. */
const drip = (peer: Peer, text: string, every_ms: number): void => {
  const bytes = Buffer.from(text);
  let sent = 0;
  const timer = setInterval(() => {
    if (peer.isGone || sent === bytes.length) clearInterval(timer);
    else peer.write(bytes.subarray(sent, ++sent));
  }, every_ms);
};

/** Daemons that are not there, go away, fall silent, or answer in pieces. */
export const connectionMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour("no-socket", "Nothing stands at the socket's path.", { at: "nothing" }),
  misbehaviour("dead-socket", "A socket that nobody listens on: connections are refused.", { at: "dead" }),
  misbehaviour("not-a-socket", "A regular file stands at the socket's path.", { at: "file" }),
  misbehaviour("accept-then-close", "Ends each connection as soon as it is made.", {
    onConnect: (peer) => peer.close(),
  }),
  misbehaviour("accept-then-reset", "Cuts each connection with the client's first frame unread.", {
    onConnect: (peer) => {
      peer.stopReading();
      setTimeout(() => peer.cut(), 30);
    },
  }),
  misbehaviour("hang-after-connect", "Accepts and never reads.", { onConnect: (peer) => peer.stopReading() }),
  misbehaviour("hang-after-the-first-frame", "Reads the first frame, hello or question, and says nothing.", {
    onHello: ignore,
    onQuestion: ignore,
  }),
  misbehaviour("hang-after-the-question", "Answers the hello, reads the question and says nothing.", {
    onQuestion: ignore,
  }),
  misbehaviour("close-after-the-question", "Ends the connection instead of answering.", {
    onQuestion: (peer) => peer.close(),
  }),
  misbehaviour("cut-after-the-question", "Destroys the connection instead of answering.", {
    onQuestion: (peer) => peer.cut(),
  }),
  misbehaviour(
    "half-frame-then-hang",
    "The first half of an ALLOW, and no more.",
    answering((peer, id) => {
      const text = peer.allow(id);
      return text.slice(0, text.length / 2);
    }),
  ),
  misbehaviour("half-frame-then-close", "The first half of an ALLOW, then the end of the connection.", {
    onQuestion: (peer, { id }) => {
      const text = peer.allow(id);
      peer.write(text.slice(0, text.length / 2));
      peer.close();
    },
  }),
  misbehaviour("half-frame-then-reset", "The first half of an ALLOW, then a cut with bytes unread.", {
    onConnect: (peer) => {
      peer.stopReading();
      peer.write(peer.allow("h").slice(0, 40));
      setTimeout(() => peer.cut(), 30);
    },
  }),
  misbehaviour("no-newline-then-close", "A whole ALLOW without its newline, then the end: half a frame is no frame.", {
    onQuestion: (peer, { id }) => {
      peer.write(peer.allow(id));
      peer.close();
    },
  }),
  misbehaviour(
    "no-newline-then-hang",
    "A whole ALLOW without its newline, and no more.",
    answering((peer, id) => peer.allow(id)),
  ),
  misbehaviour(
    "slow-drip",
    "An ALLOW of one byte at a time that takes longer than the client's timeout: a timer that each byte winds up again never runs out.",
    { onQuestion: (peer, { id }, { timeout_ms }) => drip(peer, `${peer.allow(id)}\n`, timeout_ms / 20) },
  ),
  misbehaviour("late-answer", "A proper ALLOW after the client's timeout.", {
    onQuestion: (peer, { id }, { timeout_ms }) => {
      setTimeout(() => peer.write(`${peer.allow(id)}\n`), timeout_ms * 1.5).unref();
    },
  }),
  misbehaviour(
    "late-answer-meets-the-next-question",
    "The ALLOW of a question that timed out arrives while the next one waits, which is never answered.",
    {
      onQuestion: (peer, _question, { earlier }) => {
        for (const { id } of earlier) peer.write(`${peer.allow(id)}\n`);
      },
    },
    { questions: 2 },
  ),
  misbehaviour("http-answer", "Something else listens there: an HTTP server.", {
    onHello: (peer) => peer.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    onQuestion: (peer) => peer.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  }),
];
