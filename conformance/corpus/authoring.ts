import type {
  CaseEntry,
  CaseExpectation,
  EventData,
  ExchangeEntry,
  FrameEntry,
  FrameExpectation,
  Piece,
  Step,
} from "./format.ts";

/** Shorthand for the entries' authors; corpus.json holds the plain data. */

/** The features of this project's daemon and clients, as a list in JSON. */
export const everyFeature =
  '["call_id","details","escalate","escape","grade","replace_args","replay","resend","surface"]';

export type Line = string | readonly Piece[];

const pieces = (line: Line): readonly Piece[] => (typeof line === "string" ? [line] : line);

export const frame = (
  name: string,
  note: string,
  line: Line,
  expect: FrameExpectation,
  afterwards: FrameEntry["afterwards"] = "open",
): FrameEntry => ({ kind: "frame", name, note, line: pieces(line), expect, afterwards });

/** A frame that is refused; the answer's id is asserted where the protocol fixes it. */
export const refused = (name: string, note: string, line: Line, id?: string): FrameEntry =>
  frame(name, note, line, id === undefined ? { error: "bad_request" } : { error: "bad_request", id });

export const asked = (
  name: string,
  note: string,
  event: Pick<EventData, "action" | "args"> & Partial<EventData>,
  expect: CaseExpectation,
): CaseEntry => ({ kind: "case", name, note, event: { phase: "call", ...event }, expect });

export const exchange = (name: string, note: string, steps: readonly Step[]): ExchangeEntry => ({
  kind: "exchange",
  name,
  note,
  steps,
});

/** One request line with its newline. `event` is JSON text. */
export const request = (id: string, event: string): string => `{"event":${event},"id":"${id}","v":1}\n`;

export const ping = (id: string): string => request(id, '{"action":"ping","args":{}}');

export const allowed = (id: string): FrameExpectation => ({ answer: { id, verdict: "ALLOW" } });

/** Replaced by the replayer with a random text, the same for one name within one entry. */
export const fresh = (name: string): string => `\${nonce:${name}}`;

export const hello = (id: string, features: string, nonce = "main"): string =>
  `{"hello":{"client":"conformance/1","features":${features},"nonce":"${fresh(nonce)}"},"id":"${id}","v":1}\n`;

export const helloed = (id: string): FrameExpectation => ({ like: { hello: {}, id, v: 1 } });

export const connect = (on = "a"): Step => ({ do: "connect", on });
export const send = (bytes: Line, on = "a"): Step => ({ do: "send", on, bytes: pieces(bytes) });
export const receive = (frames: readonly FrameExpectation[], on = "a"): Step => ({ do: "receive", on, frames });
