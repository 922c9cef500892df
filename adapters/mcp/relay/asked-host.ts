import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import type { Channel } from "./channel.ts";
import type { Exchange } from "./exchange.ts";
import { made, type RequestId, type ResponseMessage } from "./message.ts";
import { OpenRequests } from "./open-requests.ts";
import type { OwnIds } from "./own-ids.ts";
import { RpcError } from "./rpc-error.ts";

/** Who asked the host: the server, which is answered as the host says, or the relay for itself. */
type Asked =
  | { readonly by: "server" }
  | {
      readonly by: "relay";
      readonly resolve: (response: ResponseMessage) => void;
      readonly reject: (error: Error) => void;
    };

/** What the host was asked and has not answered. */
export class AskedHost {
  readonly #channel: Channel;
  readonly #ids: OwnIds;
  readonly #open = new OpenRequests<Asked>();

  constructor(channel: Channel, ids: OwnIds) {
    this.#channel = channel;
    this.#ids = ids;
  }

  /** Opens a request of the server's. False where its id is in use, or too many are open. */
  byServer(id: RequestId): boolean {
    if (this.#open.has(id) || this.#open.isFull) return false;
    this.#open.add(id, { by: "server" });
    return true;
  }

  /** It is not passed on, or was taken back. */
  cancel(id: RequestId): void {
    if (this.#open.get(id)?.by === "server") this.#open.cancel(id);
  }

  /** For whom the answer is. `late`: it was taken back before. */
  answered(response: ResponseMessage): "server" | "relay" | "late" | "nobody" {
    const asked = this.#open.take(response.id);
    if (asked === undefined) return this.#open.wasCancelled(response.id) ? "late" : "nobody";
    if (asked.by === "relay") asked.resolve(response);
    return asked.by;
  }

  /** Asks for the relay itself, on behalf of a request of the host's: where that is cancelled, so is this. @throws RpcError */
  async own(method: string, params: JsonObject, { request, cancelled }: Exchange): Promise<JsonValue> {
    const { signal } = cancelled;
    signal.throwIfAborted();
    const id = this.#ids.next();
    const answer = new Promise<ResponseMessage>((resolve, reject) => {
      this.#open.add(id, { by: "relay", resolve, reject });
    });
    const withdraw = (): void => this.#withdraw(id, signal.reason);
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      await this.#channel.send(made({ id, method, params }), request.id);
      const { outcome } = await answer;
      if (outcome.kind === "error") throw new RpcError(outcome.error);
      return outcome.result;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#open.take(id);
    }
  }

  #withdraw(id: RequestId, reason: Error): void {
    const asked = this.#open.cancel(id);
    if (asked?.by !== "relay") return;
    asked.reject(reason);
    // A host that is gone is asked nothing any more.
    this.#channel.send(made({ method: "notifications/cancelled", params: { requestId: id } })).catch(() => {});
  }

  /** The host is gone: whoever waits for its word has none. */
  ended(reason: Error): void {
    for (const asked of this.#open.values()) if (asked.by === "relay") asked.reject(reason);
    this.#open.clear();
  }
}
