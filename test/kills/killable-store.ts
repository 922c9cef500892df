import { ledgerOn } from "../../daemon/ledger/open.ts";
import type { OpenLedger } from "../../daemon/ledger/record.ts";
import { StoreFailed } from "../../daemon/store/refused.ts";
import { type Maybe, runSteps, type Steps, whenDone } from "../../daemon/store/steps.ts";
import type { ReceiptRow, Store } from "../../daemon/store/store.ts";
import type { StoreTx } from "../../daemon/store/transaction-rows.ts";
import type { Seeded } from "../torture/kit/seed.ts";
import type { Fuse, Work } from "./fuse.ts";

export interface OpenedLedger {
  readonly ledger: OpenLedger;
  /** The whole chain, in order. */
  receipts(): Promise<readonly ReceiptRow[]>;
}

/** A store that outlives its daemons. */
export interface KillableStore {
  /** For the next daemon; what it does is killed where `life` says. */
  open(life: Life, now_ms: number): Maybe<OpenedLedger>;
  /** The daemon is gone, in this moment: what it had written stays as it is, and nothing more comes of it. */
  kill(): void;
  /** Cuts the connection with the COMMIT that comes next, which arrives or does not. False where there is no way to lose it. */
  loseCommit(from: Seeded): boolean;
  /** A write begins that may be torn. */
  beforeWrite(): void;
  /** Called after a kill: it was in the middle of that write. A store that is no file has none that can be torn. */
  tear(from: Seeded): void;
  /** What the dead left open is given back. */
  bury(): Maybe<void>;
  /** Nobody needs it any more. */
  end(): Maybe<void>;
  /** A name for calls and clients that no other schedule has. */
  readonly name: string;
}

/** What of a daemon's life its store has to know. */
export interface Life {
  readonly fuse: Fuse;
  readonly from: Seeded;
  /** Whose transaction is under way. */
  work: Work;
  readonly isDead: boolean;
  die(): void;
}

const killed = (): never => {
  throw new StoreFailed("the daemon was killed");
};

/** The ledger of a store whose daemon may be killed in it. */
export const openedOn = (
  real: Store,
  key: Uint8Array,
  life: Life,
  store: KillableStore,
  now_ms: number,
): Maybe<OpenedLedger> =>
  whenDone(runSteps(ledgerOn(killable(real, life, store), key, store.name, now_ms)), (ledger) => ({
    ledger,
    receipts: async () => [...(await real.newest(Number.MAX_SAFE_INTEGER))].reverse(),
  }));

/** The real store, each step of whose transactions may be its daemon's last. */
const killable = (real: Store, life: Life, store: KillableStore): Store => {
  const end = (): never => {
    life.die();
    return killed();
  };
  const endTorn = (): never => {
    life.die();
    store.tear(life.from);
    return killed();
  };
  function* mortal<T>(steps: Steps<T>): Steps<T> {
    let next = steps.next();
    while (next.done !== true) {
      // What it was about to hear is heard by nobody.
      if (next.value instanceof Promise) next.value.catch(() => undefined);
      if (life.isDead) killed();
      if (life.fuse.blowsAt(`${life.work}: in the transaction`)) end();
      let told: unknown;
      try {
        told = yield next.value;
      } catch (error) {
        next = steps.throw(error);
        continue;
      }
      next = steps.next(told);
    }
    if (life.fuse.blowsAt(`${life.work}: before COMMIT`)) end();
    if (life.work === "call" && life.fuse.blowsAt("call: COMMIT on its way") && !store.loseCommit(life.from)) end();
    return next.value;
  }
  return {
    ...real,
    settle: () => {
      if (life.isDead) killed();
      store.beforeWrite();
      return whenDone(real.settle(), () => {
        if (life.fuse.blowsAt("half settled")) endTorn();
      });
    },
    transact: <T>(work: (tx: StoreTx) => Steps<T>): Maybe<T> => {
      if (life.isDead) killed();
      store.beforeWrite();
      return whenDone(
        real.transact((tx) => mortal(work(tx))),
        (done) => {
          if (life.isDead) killed();
          if (life.work === "call" && life.fuse.blowsAt("call: half written")) endTorn();
          if (life.fuse.blowsAt(`${life.work}: after COMMIT`)) end();
          return done;
        },
      );
    },
  };
};
