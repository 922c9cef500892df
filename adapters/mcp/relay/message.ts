import type { JsonObject, JsonValue } from "../../../wire/value.ts";

/** As the sender chose it. MCP knows no null ids; `1` and `"1"` are two. */
export type RequestId = string | number;

interface Carried {
  /** The whole message; frozen by nobody, and changed by nobody. */
  readonly json: JsonObject;
  /** As it came, where it goes on unchanged: it was admitted, so that no two readers of it differ. Null where it was made or parsed elsewhere. */
  readonly line: Uint8Array | null;
  /** Bytes of it as text, or what it was estimated at. */
  readonly bytes: number;
}

export interface RequestMessage extends Carried {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject | null;
}

export interface NotificationMessage extends Carried {
  readonly kind: "notification";
  readonly method: string;
  readonly params: JsonObject | null;
}

/** One of `result` and `error`. */
export interface ResponseMessage extends Carried {
  readonly kind: "response";
  readonly id: RequestId;
  readonly outcome:
    | { readonly kind: "result"; readonly result: JsonValue }
    | { readonly kind: "error"; readonly error: JsonObject };
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/** What is not a JSON-RPC message. Words without anything that the message said; the id, where it had one. */
export class NotAMessage extends Error {
  override readonly name = "NotAMessage";
  readonly id: RequestId | null;

  constructor(words: string, id: RequestId | null = null) {
    super(words);
    this.id = id;
  }
}

/** @throws NotAMessage */
export const parseMessage = (json: JsonValue, line: Uint8Array | null, bytes: number): Message => {
  if (!isObject(json)) throw new NotAMessage("it is not a JSON object");
  const carried = { json, line, bytes };
  const id = idOf(json);
  if (json.jsonrpc !== "2.0") throw new NotAMessage("it is not JSON-RPC 2.0", id);
  if (Object.hasOwn(json, "method")) return call(json, carried, id);
  if (id === null) throw new NotAMessage("it has neither a method nor an id");
  if (Object.hasOwn(json, "result")) {
    if (Object.hasOwn(json, "error")) throw new NotAMessage("it has a result and an error", id);
    return { kind: "response", id, outcome: { kind: "result", result: json.result as JsonValue }, ...carried };
  }
  if (!isObject(json.error)) throw new NotAMessage("it has neither a method, a result nor an error", id);
  return { kind: "response", id, outcome: { kind: "error", error: json.error }, ...carried };
};

const call = (json: JsonObject, carried: Carried, id: RequestId | null): Message => {
  const { method, params } = json;
  if (typeof method !== "string") throw new NotAMessage("its method is not a string", id);
  if (params !== undefined && !isObject(params)) throw new NotAMessage("its params are not an object", id);
  if (Object.hasOwn(json, "result") || Object.hasOwn(json, "error"))
    throw new NotAMessage("it has a method and an answer", id);
  if (!Object.hasOwn(json, "id")) return { kind: "notification", method, params: params ?? null, ...carried };
  if (id === null) throw new NotAMessage("its id is neither a string nor a number");
  return { kind: "request", id, method, params: params ?? null, ...carried };
};

const idOf = ({ id }: JsonObject): RequestId | null => (typeof id === "string" || typeof id === "number" ? id : null);

export const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

/** A message that the relay makes itself. */
export const made = (json: JsonObject): Message => parseMessage({ jsonrpc: "2.0", ...json }, null, 0);

/** The id as a key of a map. */
export const keyOf = (id: RequestId): string => (typeof id === "string" ? `s${id}` : `n${id}`);
