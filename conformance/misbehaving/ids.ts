import { answering, type Misbehaviour, misbehaviour } from "./conduct.ts";

/** The id a counting client is likely to use next. */
const next = (id: string): string => id.replace(/\d+$/, (digits) => String(Number(digits) + 1));

/** The same letters in the other case; an id without letters gets one. */
const otherCase = (id: string): string => {
  const other = id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase();
  return other === id ? `${id}X` : other;
};

const ask = (changed: (id: string) => unknown) => answering((peer, id) => `${peer.allow(id, { id: changed(id) })}\n`);

/** Answers that belong to no question, to another one, or to several. */
export const idMisbehaviours: readonly Misbehaviour[] = [
  misbehaviour(
    "wrong-id",
    "An ALLOW with an id that nobody asked with.",
    ask(() => "somebody-else"),
  ),
  misbehaviour(
    "empty-id",
    "An ALLOW with the empty id that error frames may have.",
    ask(() => ""),
  ),
  misbehaviour(
    "id-as-number",
    "An ALLOW whose id is a number.",
    ask(() => 1),
  ),
  misbehaviour(
    "id-as-list",
    "An ALLOW whose id is a list that turns into the right text.",
    ask((id) => [id]),
  ),
  misbehaviour(
    "null-id",
    "An ALLOW whose id is null.",
    ask(() => null),
  ),
  misbehaviour(
    "id-with-a-tail",
    "An ALLOW whose id begins with the right one.",
    ask((id) => `${id}0`),
  ),
  misbehaviour("id-in-capitals", "An ALLOW whose id differs in case.", ask(otherCase)),
  misbehaviour(
    "missing-id",
    "An ALLOW without an id.",
    answering((peer, id) => {
      const { id: _, ...rest } = peer.answer(id);
      return `${JSON.stringify(rest)}\n`;
    }),
  ),
  misbehaviour(
    "id-twice",
    "The id of another question, then the right one, in one object.",
    answering((peer, id) => `${peer.allow(id).replace('{"', '{"id":"somebody-else","')}\n`),
  ),
  misbehaviour(
    "allow-then-block",
    "Two answers to one question in one write, the first an ALLOW: the daemon is of two minds.",
    answering((peer, id) => `${peer.allow(id)}\n${peer.allow(id, { verdict: 1, reason: "no" })}\n`),
  ),
  misbehaviour(
    "block-then-allow",
    "The same, the other way round.",
    answering((peer, id) => `${peer.allow(id, { verdict: 1, reason: "no" })}\n${peer.allow(id)}\n`),
  ),
  misbehaviour(
    "allow-twice",
    "The same ALLOW twice in one write: the second answers nothing.",
    answering((peer, id) => `${peer.allow(id)}\n`.repeat(2)),
  ),
  misbehaviour(
    "allow-then-half-a-frame",
    "An ALLOW and the beginning of something that nobody asked for.",
    answering((peer, id) => `${peer.allow(id)}\n{"id":"`),
  ),
  misbehaviour("answer-before-the-question", "An ALLOW before anything was asked, and nothing afterwards.", {
    onConnect: (peer) => peer.write(["h", "1", "op-1-1"].map((id) => `${peer.allow(id)}\n`).join("")),
    onHello: () => undefined,
    onQuestion: () => undefined,
  }),
  misbehaviour(
    "answer-with-the-hello",
    "The hello's answer and, in the same write, an ALLOW for ids that will be asked with.",
    {
      onHello: (peer, { id }) =>
        peer.write(
          peer.hello(id) + ["1", "op-1-1", `op-${process.pid}-1`].map((one) => `${peer.allow(one)}\n`).join(""),
        ),
      onQuestion: () => undefined,
    },
  ),
  misbehaviour(
    "answer-to-the-next-question-with-this-one",
    "Answers the first question and, in the same write, the one that will come next; that one is never answered when it comes.",
    {
      onQuestion: (peer, { id }, { earlier }) => {
        if (earlier.length === 0) peer.write(`${peer.allow(id)}\n${peer.allow(next(id))}\n`);
      },
    },
    { questions: 2, judged: "last" },
  ),
  misbehaviour(
    "answer-to-the-next-question-between-the-two",
    "The same, but sent on its own while nothing is being asked.",
    {
      onQuestion: (peer, { id }, { earlier }) => {
        if (earlier.length > 0) return;
        peer.write(`${peer.allow(id)}\n`);
        setTimeout(() => peer.write(`${peer.allow(next(id))}\n`), 30);
      },
    },
    { questions: 2, judged: "last" },
  ),
  misbehaviour(
    "answer-for-another-pending-question",
    "Two questions wait; the first is answered, again and again, and the second never.",
    {
      onQuestion: (peer, { id }, { earlier }) => {
        if (earlier.length > 0) peer.write(`${peer.allow(earlier[0]?.id ?? id)}\n`);
        else setTimeout(() => peer.write(`${peer.allow(id)}\n`), 60);
      },
    },
    { questions: 2, together: true, judged: "last" },
  ),
];
