import { answering, type Misbehaviour, misbehaviour } from "./conduct.ts";
import { errorText } from "./peer.ts";

const allowed = { expect: "allow" } as const;

/** Daemons that behave, if unusually. A client that blocks one of these blocks what it may not. */
export const controls: readonly Misbehaviour[] = [
  misbehaviour("well-behaved", "Answers as it should.", {}, allowed),
  misbehaviour(
    "well-behaved-v1",
    "A daemon of version 1: it knows no hello, refuses it with bad_request, and answers the question.",
    {
      onHello: (peer, { id }) => {
        peer.features = null;
        peer.write(`${errorText(id, "bad_request")}\n`);
      },
    },
    allowed,
  ),
  misbehaviour(
    "well-behaved-other-spelling",
    "Keys in another order, white space between tokens, CR before the newline: the same JSON.",
    answering((peer, id) => {
      const members = Object.entries(peer.answer(id)).reverse();
      return `{ ${members.map(([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`).join(" , ")} } \r\n`;
    }),
    allowed,
  ),
  misbehaviour(
    "well-behaved-in-pieces",
    "The answer comes in three writes.",
    {
      onQuestion: (peer, { id }) => {
        const text = `${peer.allow(id)}\n`;
        peer.write(text.slice(0, 10));
        setTimeout(() => peer.write(text.slice(10, -1)), 20);
        setTimeout(() => peer.write("\n"), 40);
      },
    },
    allowed,
  ),
  misbehaviour(
    "well-behaved-then-closes",
    "Answers, and ends the connection: the answer stands.",
    {
      onQuestion: (peer, { id }) => {
        peer.write(`${peer.allow(id)}\n`);
        peer.close();
      },
    },
    allowed,
  ),
  misbehaviour(
    "well-behaved-two-questions",
    "Two questions at once, both answered, the later one first where they came on one connection.",
    {
      onQuestion: (peer, { id }, { earlier }) => {
        setTimeout(() => peer.write(`${peer.allow(id)}\n`), earlier.length === 0 ? 80 : 1);
      },
    },
    { ...allowed, questions: 2, together: true },
  ),
];
