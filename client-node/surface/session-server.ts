import { withoutUndefined } from "../mcp-json.ts";
import type { AskPage, ListName } from "./listing.ts";
import { listMethods, listNames } from "./listing.ts";
import type { ListedServer } from "./surface-keeper.ts";

type Method = (this: unknown, params?: unknown) => Promise<unknown>;

/** The clients' methods for the lists; both SDKs name them so. */
export const listingMethods: Readonly<Record<ListName, string>> = Object.freeze({
  tools: "listTools",
  prompts: "listPrompts",
  resources: "listResources",
  resource_templates: "listResourceTemplates",
});

const changes: readonly unknown[] = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
];

const methodNotFound = -32601;

/**
 * A server as the client of an MCP session lists it, by the methods that the session had before it was guarded. What a client's SDK
 * leaves out of a definition no model sees, and no hash is made of it.
 */
export const sessionServer = (client: object): ListedServer => {
  const methods = Object.fromEntries(
    listNames.map((list) => [list, (client as Record<string, unknown>)[listingMethods[list]]]),
  ) as Record<ListName, Method | undefined>;
  const ask: AskPage = async (list, cursor) => {
    const method = methods[list];
    if (typeof method !== "function") return undefined;
    try {
      return withoutUndefined(await Reflect.apply(method, client, cursor === null ? [] : [{ cursor }]));
    } catch (error) {
      if ((error as { readonly code?: unknown } | null)?.code === methodNotFound) return undefined;
      throw error;
    }
  };
  return {
    ask,
    lists() {
      const declared = said(client, "getServerCapabilities");
      if (typeof declared !== "object" || declared === null) return listNames;
      return listNames.filter((list) => Object.hasOwn(declared, listMethods[list].capability));
    },
    instructions() {
      const text = said(client, "getInstructions");
      return typeof text === "string" ? text : null;
    },
    identity: async () => null,
  };
};

const said = (client: object, name: string): unknown => {
  const method = (client as Record<string, unknown>)[name];
  return typeof method === "function" ? Reflect.apply(method, client, []) : null;
};

interface Transport {
  onmessage?: ((message: unknown, ...rest: unknown[]) => unknown) | undefined;
}

/**
 * Tells of each word of the server's that a list changed, whoever else handles it. Looks on where the client's transport hands over its
 * messages, once for each transport that the client gets.
 */
export class ListChanges {
  readonly #client: object;
  readonly #changed: () => void;
  #watched: object | null = null;

  constructor(client: object, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  /** To be called before each call: a client that was connected since has another transport, and another server behind it. */
  watch(): void {
    const transport = (this.#client as { readonly transport?: Transport | null }).transport;
    if (typeof transport !== "object" || transport === null || transport === this.#watched) return;
    if (this.#watched !== null) this.#changed();
    this.#watched = transport;
    const handler = transport.onmessage;
    if (typeof handler !== "function") return;
    const changed = this.#changed;
    transport.onmessage = function onmessage(this: unknown, message: unknown, ...rest: unknown[]): unknown {
      if (changes.includes((message as { readonly method?: unknown } | null)?.method)) changed();
      return Reflect.apply(handler, this, [message, ...rest]);
    };
  }
}
