import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../../wire/value.ts";
import type { Channel, Outgoing, Receiver } from "../relay/channel.ts";
import {
  keyOf,
  type Message,
  NotAMessage,
  type NotificationMessage,
  parseMessage,
  type RequestId,
} from "../relay/message.ts";

/** A host's session over Streamable HTTP as a side of a relay; the SDK's transport has the streams and their rules. */
export class SessionChannel implements Channel {
  readonly #transport: StreamableHTTPServerTransport;
  /** The host's requests without an answer: what the server says meanwhile goes on the stream of the newest. */
  readonly #open = new Map<string, RequestId>();

  constructor(transport: StreamableHTTPServerTransport) {
    this.#transport = transport;
  }

  get openRequests(): number {
    return this.#open.size;
  }

  async open(receiver: Receiver): Promise<void> {
    this.#transport.onmessage = (json) => {
      const read = messageOf(json as JsonValue);
      if (read instanceof NotAMessage) void receiver.refused(read);
      else {
        if (read.kind === "request") this.#open.set(keyOf(read.id), read.id);
        else if (read.kind === "notification" && read.method === "notifications/cancelled") this.#cancelled(read);
        void receiver.received({ kind: "message", message: read });
      }
    };
    this.#transport.onclose = () => receiver.closed();
    await this.#transport.start();
  }

  /** What was cancelled is not answered: its stream ends here. */
  #cancelled({ params }: NotificationMessage): void {
    const id = params?.requestId;
    if ((typeof id !== "string" && typeof id !== "number") || !this.#open.delete(keyOf(id))) return;
    this.#transport.closeSSEStream(id);
  }

  async send(outgoing: Outgoing, about?: RequestId): Promise<void> {
    for (const message of Array.isArray(outgoing) ? (outgoing as readonly Message[]) : [outgoing as Message]) {
      const json = message.json as unknown as JSONRPCMessage;
      if (message.kind === "response") {
        this.#open.delete(keyOf(message.id));
        await this.#transport.send(json);
      } else {
        const related = about ?? [...this.#open.values()].at(-1);
        await this.#transport.send(json, related === undefined ? undefined : { relatedRequestId: related });
      }
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

const messageOf = (json: JsonValue): Message | NotAMessage => {
  try {
    return parseMessage(json, null, 0);
  } catch (error) {
    if (error instanceof NotAMessage) return error;
    throw error;
  }
};
