import { errorName } from "../../../client-node/error-name.ts";
import { type ListName, listMethods, listNames } from "../../../client-node/surface/listing.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import type { AskedServer } from "../relay/asked-server.ts";
import { isObject, type RequestMessage } from "../relay/message.ts";
import { isStateless } from "../relay/refusal.ts";

const methodNotFound = -32601;

/** Members of `_meta` without which a server of 2026-07-28 answers nothing. The relay asks as the host asks. */
const metaKeys = ["protocolVersion", "clientCapabilities", "clientInfo"].map(
  (name) => `io.modelcontextprotocol/${name}`,
);

/**
 * A server as the relay itself asks it: what it declared when the host opened it, or when it was discovered, and its pages. Between the
 * two eras the difference is here: a session was opened by the host; a stateless request brings what it needs.
 */
export class OpenedServer {
  #asked: AskedServer | null = null;
  #meta: JsonObject | null = null;
  #capabilities: JsonObject | null = null;
  #instructions: string | null = null;

  get instructions(): string | null {
    return this.#instructions;
  }

  /** A request of the host's goes by: the relay may ask in its wake. */
  follows(request: RequestMessage, asked: AskedServer): void {
    this.#asked = asked;
    if (!isStateless(request)) {
      this.#meta = null;
      return;
    }
    const meta = request.params?._meta as JsonObject;
    this.#meta = Object.fromEntries(Object.entries(meta).filter(([key]) => metaKeys.includes(key)));
  }

  /** The result of `initialize` or `server/discover`. */
  opened(result: JsonObject): void {
    this.#capabilities = isObject(result.capabilities) ? result.capabilities : {};
    this.#instructions = typeof result.instructions === "string" ? result.instructions : null;
  }

  /** A stateless host need not have discovered the server; its surface has instructions all the same. */
  async discover(): Promise<void> {
    if (this.#capabilities !== null || this.#meta === null) return;
    const result = await this.#result("server/discover", {});
    if (isObject(result)) this.opened(result);
  }

  /** The lists that it declared; all of them where it is not known what it did. */
  lists(): readonly ListName[] {
    const declared = this.#capabilities;
    return declared === null
      ? listNames
      : listNames.filter((list) => Object.hasOwn(declared, listMethods[list].capability));
  }

  page(list: ListName, cursor: string | null): Promise<JsonValue | undefined> {
    return this.#result(listMethods[list].method, cursor === null ? {} : { cursor });
  }

  /** Undefined where the server knows no such method. Rejects where it does not answer. */
  async #result(method: string, params: JsonObject): Promise<JsonValue | undefined> {
    if (this.#asked === null) throw new Error("nobody has asked the server yet");
    const meta = this.#meta === null ? {} : { _meta: this.#meta };
    const { outcome } = await this.#asked.own(method, { ...params, ...meta });
    if (outcome.kind === "result") return outcome.result;
    if (outcome.error.code === methodNotFound) return undefined;
    throw new Error(errorName(outcome.error));
  }
}
