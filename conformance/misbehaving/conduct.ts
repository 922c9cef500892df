import type { Peer } from "./peer.ts";

/** A frame of the client's, read leniently: what it broke is not what is tested here. */
export interface ClientFrame {
  readonly id: string;
  readonly line: string;
}

/** How one daemon behaves. What it leaves out it does as a daemon should. */
export interface Conduct {
  /** What stands at the socket's path. Default `listening`. */
  readonly at?: "listening" | "nothing" | "dead" | "file";
  readonly onConnect?: (peer: Peer) => void;
  readonly onHello?: (peer: Peer, hello: ClientFrame) => void;
  readonly onQuestion?: (peer: Peer, question: ClientFrame, history: History) => void;
}

/** What was asked so far over all connections of one daemon. */
export interface History {
  /** Questions before this one, oldest first. */
  readonly earlier: readonly ClientFrame[];
  /** How long the client under test waits for a verdict. */
  readonly timeout_ms: number;
}

export interface Misbehaviour extends Conduct {
  readonly name: string;
  readonly description: string;
  /**
   * `allow` for the controls: a client that blocks everything fails these. `either` where two sound readings differ; what
   * fails then is a crash, or no end.
   */
  readonly expect: "block" | "allow" | "either";
  /** How many calls the client makes. With two, `together` says whether the second is asked before the first is answered. */
  readonly questions: 1 | 2;
  readonly together: boolean;
  /** `each`: every call must end as expected. `last`: the last one must; how the first ends is the client's affair. */
  readonly judged: "each" | "last";
}

export const misbehaviour = (
  name: string,
  description: string,
  conduct: Conduct,
  more: Partial<Pick<Misbehaviour, "expect" | "questions" | "together" | "judged">> = {},
): Misbehaviour => ({
  name,
  description,
  expect: "block",
  questions: 1,
  together: false,
  judged: "each",
  ...more,
  ...conduct,
});

/** Every question gets this text, its newline included. */
export const answering = (text: (peer: Peer, id: string) => string | Buffer): Conduct => ({
  onQuestion: (peer, { id }) => peer.write(text(peer, id)),
});
