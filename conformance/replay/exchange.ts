import type { ExchangeEntry, FrameEntry, FrameExpectation, Step } from "../corpus/format.ts";
import { Blanks, bytesOf } from "./bytes.ts";
import { mismatch } from "./match-frame.ts";
import { RawConnection, ReplayFailure } from "./raw-connection.ts";

const answerWithin_ms = 5_000;
const closedWithin_ms = 5_000;

/** Plays a script over raw connections. Throws `ReplayFailure` with one line. */
export const playExchange = async (path: string, entry: ExchangeEntry): Promise<void> => {
  const connections = new Map<string, RawConnection>();
  const blanks = new Blanks();
  const saved = new Map<string, string>();
  const at = (name: string): RawConnection => {
    const connection = connections.get(name);
    if (connection === undefined) throw new ReplayFailure(`the script uses ${name} before it connects it`);
    return connection;
  };
  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case "connect":
        connections.set(step.on, await RawConnection.open(path, step.retry_ms));
        return;
      case "send":
        return at(step.on).send(bytesOf(step.bytes, blanks));
      case "receive":
        return receive(at(step.on), step, saved);
      case "silent":
        return at(step.on).silent(step.for_ms ?? 0);
      case "closed":
        return at(step.on).closed(step.within_ms ?? closedWithin_ms);
      case "finish":
        return at(step.on).finish();
      case "drop":
        return at(step.on).drop();
      case "wait":
        return new Promise((resolve) => setTimeout(resolve, step.ms));
    }
  };
  try {
    for (const [place, step] of entry.steps.entries()) {
      try {
        await play(step);
      } catch (error) {
        if (!(error instanceof ReplayFailure)) throw error;
        throw new ReplayFailure(`step ${place + 1} (${step.do}): ${error.message}`);
      }
    }
  } finally {
    for (const connection of connections.values()) connection.drop();
  }
};

const receive = async (
  connection: RawConnection,
  step: Extract<Step, { do: "receive" }>,
  saved: Map<string, string>,
): Promise<void> => {
  const until = Date.now() + (step.within_ms ?? answerWithin_ms);
  const expected = [...step.frames];
  while (expected.length > 0) {
    const line = await connection.line(Math.max(1, until - Date.now()));
    const place = step.order === "given" ? 0 : Math.max(0, placeOf(line, expected));
    const wrong = mismatch(line, expected[place] as FrameExpectation, saved);
    if (wrong !== null) throw new ReplayFailure(wrong);
    expected.splice(place, 1);
  }
};

/** The expectation that a frame belongs to, by its id; where none names it, the first that has no id. */
const placeOf = (line: Buffer, expected: readonly FrameExpectation[]): number => {
  let id: unknown;
  try {
    id = (JSON.parse(line.toString("utf8")) as { readonly id?: unknown }).id;
  } catch {
    return 0;
  }
  const named = expected.findIndex((one) => idOf(one) === id);
  return named === -1 ? expected.findIndex((one) => idOf(one) === undefined) : named;
};

const idOf = (expected: FrameExpectation): unknown => {
  if ("answer" in expected) return expected.answer.id;
  if ("like" in expected) return expected.like.id;
  if ("text" in expected) return (JSON.parse(expected.text) as { readonly id?: unknown }).id;
  return "error" in expected ? expected.id : undefined;
};

const lastId = "conformance-afterwards";

/** Plays one raw line on a fresh connection, and then asks whether the connection still serves, or has ended. */
export const playFrame = (path: string, entry: FrameEntry): Promise<void> => {
  const steps: Step[] = [
    { do: "connect", on: "a" },
    { do: "send", on: "a", bytes: [...entry.line, "\n"] },
    { do: "receive", on: "a", frames: [entry.expect] },
  ];
  if (entry.afterwards === "closed") steps.push({ do: "closed", on: "a" });
  else {
    const bytes = [`{"event":{"action":"ping","args":{}},"id":"${lastId}","v":1}\n`];
    steps.push({ do: "send", on: "a", bytes });
    steps.push({ do: "receive", on: "a", frames: [{ answer: { id: lastId, verdict: "ALLOW" } }] });
  }
  return playExchange(path, { kind: "exchange", name: entry.name, note: entry.note, steps });
};
