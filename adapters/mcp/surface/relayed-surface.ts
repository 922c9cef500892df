import type { ReportedServer } from "../../../client-node/guard-options.ts";
import { oneLine } from "../../../client-node/one-line.ts";
import { type ListName, listMethods, listNames } from "../../../client-node/surface/listing.ts";
import { SurfaceKeeper } from "../../../client-node/surface/surface-keeper.ts";
import type { JsonObject, JsonValue } from "../../../wire/value.ts";
import type { GuardSettings } from "../guard/guard-settings.ts";
import type { Exchange } from "../relay/exchange.ts";
import { isObject, type NotificationMessage } from "../relay/message.ts";
import type { Notices } from "../relay/notices.ts";
import type { Sides } from "../relay/relay.ts";
import { OpenedServer } from "./opened-server.ts";

/** Which list a method asks for. */
export const listOf = (method: string): ListName | null =>
  listNames.find((list) => listMethods[list].method === method) ?? null;

/** Is it a page of this list? */
export const isListing = (list: ListName, result: JsonValue): result is JsonObject =>
  isObject(result) && Array.isArray(result[listMethods[list].key]);

const changes: readonly string[] = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
];

/** What a relayed server lists: reported before anything of it is called, and before any of it is shown. */
export class RelayedSurface {
  readonly #server = new OpenedServer();
  readonly #keeper: SurfaceKeeper;
  readonly #notices: Notices;
  #opening: Promise<void> = Promise.resolve();

  constructor({ named, engine, identity }: GuardSettings, notices: Notices) {
    this.#notices = notices;
    this.#keeper = new SurfaceKeeper(named, engine, {
      lists: () => this.#server.lists(),
      ask: (list, cursor) => this.#server.page(list, cursor),
      instructions: () => this.#server.instructions,
      identity,
    });
  }

  /** For the events of its calls; null where the daemon keeps no surfaces. */
  get reported(): ReportedServer | null {
    return this.#keeper.isKept ? this.#keeper : null;
  }

  /** A request of the host's goes by. */
  follows(exchange: Exchange, sides: Sides): void {
    this.#server.follows(exchange.request, sides.server);
  }

  /** A host need not wait for the answer to `initialize` before it asks for more; what it asks for waits. */
  opensWith(opening: Promise<unknown>): void {
    const over = (): void => {};
    this.#opening = opening.then(over, over);
  }

  /** The server was opened: what was known of it is not known any more. May its instructions be shown? Rejects with BlockedError. */
  async opened(result: JsonObject): Promise<boolean> {
    this.#server.opened(result);
    this.#keeper.changed();
    return typeof result.instructions !== "string" || this.#keeper.mayInstruct(result.instructions);
  }

  noticed({ method }: NotificationMessage): void {
    if (changes.includes(method)) this.#keeper.changed();
  }

  /** Resolves once the daemon knows what the server lists. Rejects with BlockedError. */
  async ready(): Promise<void> {
    await this.#opening;
    if (this.#keeper.isKept) await this.#server.discover();
    await this.#keeper.ready();
  }

  /**
   * A page as the host may see it. Where it differs from what was reported, the server is listed again: a server that shows the host
   * something else than the daemon is caught, and what differs is left out. Rejects with BlockedError.
   */
  async shown(list: ListName, result: JsonObject): Promise<JsonValue> {
    const { key } = listMethods[list];
    const items = result[key] as readonly JsonValue[];
    let page = this.#keeper.shown(list, items);
    if (page.differs) {
      await this.#keeper.renew();
      page = this.#keeper.shown(list, items);
      if (page.differs)
        this.#notices.tell("the server showed the host another listing than the guard; what differs is left out");
    }
    this.#tellHeld();
    return page.items === items ? result : { ...result, [key]: page.items };
  }

  #told = "";

  #tellHeld(): void {
    const held = this.#keeper.held.map(({ kind, name, action, reason }) => `${kind} ${name} (${action}: ${reason})`);
    const words = held.join("; ");
    if (words !== this.#told && words !== "") this.#notices.tell("held, and not shown to the host", oneLine(words));
    this.#told = words;
  }
}
