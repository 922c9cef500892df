import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { errorName } from "../../../client-node/error-name.ts";
import type { Channel, Outgoing, Receiver } from "../relay/channel.ts";
import { maxMessageBytes } from "../relay/limits.ts";
import { type Message, NotAMessage } from "../relay/message.ts";
import { readLine } from "../relay/read-message.ts";
import { type Line, LineReader } from "./line-reader.ts";

/**
 * The stdio transport: a message a line. The SDKs' own reads a line of any length into memory or ends the session at one that is too
 * long, and knows no batches; this one skips what is too long and reads on.
 */
export class LineChannel implements Channel {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineReader();
  #isClosing = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async open(receiver: Receiver): Promise<void> {
    // A peer that is gone closes the pipe; what is sent to it then is nobody's error here.
    this.#output.on("error", () => receiver.closed());
    void this.#read(receiver);
  }

  async #read(receiver: Receiver): Promise<void> {
    try {
      for await (const chunk of this.#input) {
        for (const line of this.#lines.push(chunk as Buffer)) {
          const taken = received(line, receiver);
          if (taken !== null) await taken;
        }
      }
      const last = this.#lines.end();
      if (last !== null) await received(last, receiver);
    } catch (error) {
      if (!this.#isClosing) await receiver.refused(new NotAMessage(`the stream failed: ${errorName(error)}`));
    }
    receiver.closed();
  }

  async send(outgoing: Outgoing): Promise<void> {
    if (this.#output.destroyed || this.#output.writableEnded) throw new Error("the stream has ended");
    if (this.#output.write(lineOf(outgoing))) return;
    await Promise.race([once(this.#output, "drain"), once(this.#output, "close")]);
  }

  /** Resolves when everything that was sent has left. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#input.destroy();
    if (this.#output.destroyed || this.#output.writableLength === 0) return;
    await new Promise<void>((resolve) => {
      this.#output.once("close", resolve);
      this.#output.write("", () => resolve());
    });
  }
}

const received = (line: Line, receiver: Receiver): Promise<void> | null => {
  if (line.kind === "oversized") {
    return receiver.refused(new NotAMessage(`it is longer than ${maxMessageBytes} bytes`, line.id));
  }
  if (isBlank(line.bytes)) return null;
  try {
    return receiver.received(readLine(line.bytes));
  } catch (error) {
    if (error instanceof NotAMessage) return receiver.refused(error);
    throw error;
  }
};

/** Nothing but blanks, such as the carriage return of an empty line. */
const isBlank = (bytes: Buffer): boolean => {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false;
  return true;
};

const isList = (outgoing: Outgoing): outgoing is readonly Message[] => Array.isArray(outgoing);

const lineOf = (outgoing: Outgoing): Uint8Array | string => {
  if (isList(outgoing)) return `${JSON.stringify(outgoing.map(({ json }) => json))}\n`;
  const { line, json } = outgoing;
  return line === null ? `${JSON.stringify(json)}\n` : Buffer.concat([line, newline]);
};

const newline = Buffer.from("\n");
