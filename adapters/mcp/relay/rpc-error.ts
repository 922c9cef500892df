import type { JsonObject } from "../../../wire/value.ts";

/** Codes of the relay's own JSON-RPC errors; any other is the peer's. */
export const rpcCodes = Object.freeze({
  invalidRequest: -32600,
  internal: -32603,
  /** The guard does not let it through. */
  blocked: -32040,
});

/** A JSON-RPC error, as the peer answered it or as the relay answers. The message of the latter says nothing of what was sent. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    super("a JSON-RPC error");
    this.code = typeof json.code === "number" ? json.code : rpcCodes.internal;
    this.json = json;
  }
}

export const rpcError = (code: number, message: string, data?: JsonObject): RpcError =>
  new RpcError({ code, message, ...(data === undefined ? {} : { data }) });
