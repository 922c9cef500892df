import type { RuntimeSettings } from "../config/settings.ts";
import { SurfaceKeeper } from "./keeper.ts";
import { anyOrigin } from "./provenance/policy.ts";
import { Behaviours } from "./runtime/behaviours.ts";
import { SessionSurfaces } from "./session-surfaces.ts";
import type { Surfaces } from "./surfaces.ts";

/** For tests of other parts: no server is known, and none becomes known. */
export const noSurfaces = (): Surfaces => {
  const terms = {
    ledger: {
      change: () => {
        throw new TypeError("nothing is kept here");
      },
      reads: { findDocument: () => null, listDocuments: () => [], documentVersions: () => [] },
    },
    now_ms: () => 0,
    rules: () => "",
    log: () => undefined,
  };
  const keeper = new SurfaceKeeper({ ...terms, mode: "first_use", provenance: anyOrigin });
  const behaviours = new Behaviours({ ...terms, keeper, settings: unwatched });
  return { keeper, behaviours, sessions: new SessionSurfaces(), maxAge_ms: 300_000 };
};

const unwatched: RuntimeSettings = {
  reach: "off",
  response: "off",
  effect: "off",
  chain: "off",
  chain_classes: [],
  destinations: [],
};
