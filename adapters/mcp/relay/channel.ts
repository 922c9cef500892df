import type { Message, NotAMessage, RequestId } from "./message.ts";

/** What came in one piece: a message, or a batch of them (2025-03-26). */
export type Incoming =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "batch"; readonly items: readonly (Message | NotAMessage)[] };

/** What is sent in one piece. */
export type Outgoing = Message | readonly Message[];

/** One side of a relay: whoever is at its other end is a host, or a server. */
export interface Channel {
  /** Begins to read. */
  open(receiver: Receiver): Promise<void>;
  /**
   * Resolves once there is room for more. `about`: the request of the peer's that it belongs to, for a transport that answers each
   * request on a stream of its own. Rejects where the message cannot reach the peer, now or ever.
   */
  send(outgoing: Outgoing, about?: RequestId): Promise<void>;
  /** Ends it; resolves when nothing of it is left. */
  close(): Promise<void>;
}

export interface Receiver {
  /** Nothing more is read until it resolves. Never rejects. */
  received(incoming: Incoming): Promise<void>;
  /** Something came that is no message. */
  refused(problem: NotAMessage): Promise<void>;
  /** The peer is gone. */
  closed(): void;
}
