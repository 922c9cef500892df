import type { JsonValue } from "../../../wire/value.ts";
import type { RequestMessage, ResponseMessage } from "./message.ts";

/** What the host is answered: the server's answer as it came, or another result. An error is thrown (`RpcError`). */
export type Answer =
  | { readonly kind: "unchanged"; readonly response: ResponseMessage }
  | { readonly kind: "result"; readonly result: JsonValue };

/** One request of the host's, from its arrival to its answer. */
export interface Exchange {
  readonly request: RequestMessage;
  /** Aborted when the host cancels it. */
  readonly cancelled: AbortController;
  /** Bytes of the answer that are held against the budget. */
  heldBytes: number;
  /** Was it given to the server, so that the input of that may end? */
  isSent: boolean;
}
