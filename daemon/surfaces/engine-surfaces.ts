import type { Settings } from "../config/settings.ts";
import type { OpenLedger } from "../ledger/record.ts";
import { orLater } from "../store/or-later.ts";
import { embeddedStore } from "../store/postgres/address.ts";
import { type KeeperTerms, SurfaceKeeper } from "./keeper.ts";
import { Behaviours } from "./runtime/behaviours.ts";
import { SessionSurfaces } from "./session-surfaces.ts";
import type { Surfaces } from "./surfaces.ts";

/** How often a store that other daemons write too is looked at: what one of them decided holds here within this and one answer of the store. */
export const lookEvery_ms = 200;

/** How much of what tools do is learned again by a daemon that was killed. */
const learnEvery_ms = 1_000;

/** What one engine knows of servers. Throws StoreFailed. */
export const engineSurfaces = async (
  ledger: OpenLedger,
  { store, surfaces }: Pick<Settings, "store" | "surfaces">,
  terms: Pick<KeeperTerms, "log" | "now_ms" | "rules">,
): Promise<Surfaces> => {
  const keeper = new SurfaceKeeper({ ledger, mode: surfaces.baseline, provenance: surfaces.provenance, ...terms });
  await keeper.look();
  const behaviours = new Behaviours({ ledger, keeper, settings: surfaces.runtime, ...terms });
  await behaviours.look();
  setInterval(() => orLater(() => behaviours.flush()), learnEvery_ms).unref();
  if (store !== embeddedStore) {
    let isUnderWay = false;
    setInterval(() => {
      if (isUnderWay) return;
      isUnderWay = true;
      orLater(() =>
        keeper
          .look()
          .then(() => behaviours.look())
          .finally(() => {
            isUnderWay = false;
          }),
      );
    }, lookEvery_ms).unref();
  }
  return Object.freeze({ keeper, behaviours, sessions: new SessionSurfaces(), maxAge_ms: surfaces.max_age_s * 1000 });
};
