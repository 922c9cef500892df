import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Place } from "../kit/place.ts";

/** What the server lists and answers; read anew with each request. */
export interface Told {
  readonly listing: { readonly pages: readonly (readonly object[])[]; readonly ttlMs?: number };
  /** Of each page the next one's cursor, where it has one. */
  readonly next?: readonly (number | undefined)[];
  readonly answers?: Readonly<Record<string, object>>;
}

/** A server's folder: what it is told, and what it was asked. */
export class Shop {
  readonly #folder: string;

  constructor(place: Place, told: Told) {
    this.#folder = join(place.home, "shop");
    mkdirSync(this.#folder);
    this.tell(told);
  }

  tell(told: Told): void {
    writeFileSync(join(this.#folder, "server.json"), JSON.stringify(told));
  }

  /** How it is started. */
  get command(): readonly [string, ...string[]] {
    return [process.execPath, fileURLToPath(new URL("shop-server.mjs", import.meta.url)), this.#folder];
  }

  /** In order: `list <page>`, `call <tool>`. */
  get asked(): readonly string[] {
    const path = join(this.#folder, "asked");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  called(tool: string): number {
    return this.asked.filter((line) => line === `call ${tool}`).length;
  }

  get state(): number {
    const path = join(this.#folder, "state");
    return existsSync(path) ? Number(readFileSync(path, "utf8")) : 100;
  }
}
