import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../daemon/store/open-store.ts";
import { openStateDirectory } from "../../daemon/store/state-directory.ts";
import type { Maybe } from "../../daemon/store/steps.ts";
import type { Seeded } from "../torture/kit/seed.ts";
import { type KillableStore, type Life, type OpenedLedger, openedOn } from "./killable-store.ts";

const journal = "receipts.journal";
const files = ["ledger.db", "ledger.db-wal", journal, "store.key"];

/** What a killed process leaves: the files as they are, whatever it was writing. The next daemon goes on with a copy. */
export class SqliteStore implements KillableStore {
  readonly name: string;
  readonly #base: string;
  #life = 0;
  #journalBefore = Buffer.alloc(0);
  #closing: (() => void)[] = [];

  constructor(base: string, name: string) {
    this.name = name;
    this.#base = base;
  }

  open(life: Life, now_ms: number): Maybe<OpenedLedger> {
    const { store, key } = openStore(openStateDirectory(this.#path), "process", null);
    this.#closing.push(() => store.close());
    return openedOn(store, key, life, this, now_ms);
  }

  kill(): void {
    const from = this.#path;
    this.#life++;
    mkdirSync(this.#path, { mode: 0o700 });
    for (const name of files) {
      if (existsSync(join(from, name))) copyFileSync(join(from, name), join(this.#path, name));
    }
  }

  loseCommit(): boolean {
    return false;
  }

  beforeWrite(): void {
    this.#journalBefore = readFileSync(join(this.#path, journal));
  }

  /** Half a line was appended; or the database had it, and the journal was not emptied yet. */
  tear(from: Seeded): void {
    const path = join(this.#path, journal);
    const before = this.#journalBefore;
    const { length } = readFileSync(path);
    if (length > before.length) truncateSync(path, before.length + from.below(length - before.length));
    else writeFileSync(path, before);
  }

  bury(): void {
    for (const close of this.#closing.splice(0)) close();
    for (let life = 0; life < this.#life; life++) rmSync(this.#pathOf(life), { recursive: true, force: true });
  }

  end(): void {
    this.#life++;
    this.bury();
  }

  get #path(): string {
    return this.#pathOf(this.#life);
  }

  #pathOf(life: number): string {
    return join(this.#base, `${this.name}-${life}`);
  }
}
