import { admit } from "../../../wire/admission.ts";
import { WireError } from "../../../wire/errors.ts";
import type { JsonValue } from "../../../wire/value.ts";
import type { Incoming } from "./channel.ts";
import { maxBatchMessages } from "./limits.ts";
import { isObject, type Message, NotAMessage, parseMessage, type RequestId } from "./message.ts";

/**
 * A line as a message or a batch. Strict JSON (wire/admission.ts): a text that two readers could read as two messages, such as one with
 * a key twice, is none, so that what is judged is what goes on.
 *
 * @throws NotAMessage
 */
export const readLine = (line: Uint8Array): Incoming => {
  const json = admitted(line);
  if (!Array.isArray(json)) return { kind: "message", message: parseMessage(json, line, line.length) };
  return readBatch(json as readonly JsonValue[], line.length);
};

/** @throws NotAMessage an empty batch, or one of too many */
export const readBatch = (items: readonly JsonValue[], bytes: number): Incoming => {
  if (items.length === 0) throw new NotAMessage("it is an empty batch");
  if (items.length > maxBatchMessages) throw new NotAMessage(`it is a batch of more than ${maxBatchMessages} messages`);
  return { kind: "batch", items: items.map((item) => parsedOrNot(item, bytes)) };
};

const parsedOrNot = (item: JsonValue, bytes: number): Message | NotAMessage => {
  try {
    return parseMessage(item, null, bytes);
  } catch (error) {
    if (error instanceof NotAMessage) return error;
    throw error;
  }
};

const admitted = (line: Uint8Array): JsonValue => {
  try {
    return admit(line);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new NotAMessage(error.message.replace(/^frame is /, "it is "), looseId(line));
  }
};

/** Who waits for an answer that is no strict JSON is told so, where its id can be read. */
const looseId = (line: Uint8Array): RequestId | null => {
  try {
    const json: unknown = JSON.parse(Buffer.from(line).toString("utf8"));
    if (!isObject(json)) return null;
    const { id } = json;
    return typeof id === "string" || typeof id === "number" ? id : null;
  } catch {
    return null;
  }
};
