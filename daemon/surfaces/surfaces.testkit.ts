import { SurfaceKeeper } from "./keeper.ts";
import { anyOrigin } from "./provenance/policy.ts";
import { SessionSurfaces } from "./session-surfaces.ts";
import type { Surfaces } from "./surfaces.ts";

/** For tests of other parts: no server is known, and none becomes known. */
export const noSurfaces = (): Surfaces => ({
  keeper: new SurfaceKeeper({
    ledger: {
      change: () => {
        throw new TypeError("nothing is kept here");
      },
      reads: { findDocument: () => null, listDocuments: () => [], documentVersions: () => [] },
    },
    mode: "first_use",
    provenance: anyOrigin,
    now_ms: () => 0,
    rules: () => "",
    log: () => undefined,
  }),
  sessions: new SessionSurfaces(),
  maxAge_ms: 300_000,
});
