import type { NamedServer } from "../../wire/surface-body.ts";
import type { JsonValue } from "../../wire/value.ts";
import type { Engine, ReportedServer } from "../guard-options.ts";
import { withoutUndefined } from "../mcp-json.ts";
import { isPlainObject } from "../plain-object.ts";
import { type ListName, listMethods } from "./listing.ts";
import { ListChanges, sessionServer } from "./session-server.ts";
import { SurfaceKeeper } from "./surface-keeper.ts";

/** What the server of one MCP session lists, as its guard sees to it. */
export class SessionSurface {
  readonly #keeper: SurfaceKeeper;
  readonly #changes: ListChanges;

  constructor(named: NamedServer, engine: Engine, client: object) {
    this.#keeper = new SurfaceKeeper(named, engine, sessionServer(client));
    this.#changes = new ListChanges(client, () => this.#keeper.changed());
  }

  /** Resolves once the daemon knows what the server lists; null where it keeps nothing of it. Rejects with BlockedError. */
  async ready(): Promise<ReportedServer | null> {
    this.#changes.watch();
    await this.#keeper.ready();
    return this.#keeper.isKept ? this.#keeper : null;
  }

  /** A page without what is held, and without what differs from what was reported. */
  async shown(list: ListName, page: unknown): Promise<unknown> {
    const { key } = listMethods[list];
    const items = isPlainObject(page) ? page[key] : null;
    if (!this.#keeper.isKept || !Array.isArray(items)) return page;
    const plain = withoutUndefined(items) as readonly JsonValue[];
    let shown = this.#keeper.shown(list, plain);
    if (shown.differs) {
      await this.#keeper.renew();
      shown = this.#keeper.shown(list, plain);
    }
    return shown.items === plain ? page : { ...(page as object), [key]: shown.items };
  }
}
