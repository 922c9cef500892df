import { join } from "node:path";
import { openPostgresStore } from "../../daemon/store/postgres/open-store.ts";
import { openStateDirectory } from "../../daemon/store/state-directory.ts";
import type { ServiceProxy } from "../kit/services/proxy.ts";
import type { Seeded } from "../torture/kit/seed.ts";
import { type KillableStore, type Life, type OpenedLedger, openedOn } from "./killable-store.ts";

/** What a killed process leaves of a server: connections that end in the middle of what was said. */
export class PostgresStore implements KillableStore {
  readonly name: string;
  readonly #base: string;
  readonly #proxy: ServiceProxy;
  readonly #dying: Promise<unknown>[] = [];
  #closing: (() => Promise<void>)[] = [];

  constructor(base: string, proxy: ServiceProxy, name: string) {
    this.name = name;
    this.#base = base;
    this.#proxy = proxy;
  }

  async open(life: Life, now_ms: number): Promise<OpenedLedger> {
    await Promise.all(this.#dying.splice(0));
    await this.#proxy.restore();
    const place = {
      address: this.#proxy.url,
      deploymentKeyPath: join(this.#base, "deployment.key"),
      directory: openStateDirectory(join(this.#base, this.name)),
    };
    const { store, key } = await openPostgresStore(place, null, now_ms);
    this.#closing.push(() => store.close());
    return openedOn(store, key, life, this, now_ms);
  }

  kill(): void {
    this.#dying.push(this.#proxy.cut());
  }

  loseCommit(from: Seeded): boolean {
    void this.#proxy.cutAt("COMMIT", from.pick(["service", "nobody"]));
    return true;
  }

  beforeWrite(): void {}

  tear(): void {}

  async bury(): Promise<void> {
    await Promise.all(this.#closing.splice(0).map((close) => close()));
  }

  end(): Promise<void> {
    return this.bury();
  }
}
