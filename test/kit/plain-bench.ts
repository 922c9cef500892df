import { localCoordination } from "../../daemon/coordination/local.ts";
import { claimedOnly } from "../../daemon/identity/testing.ts";
import { neverStopped } from "../../daemon/stops/stops.testkit.ts";

/** Of a bench what is the same in each test of one daemon: nobody is bound, nothing is stopped, nothing is captured. */
export const plainBench = {
  disabled: false,
  identities: claimedOnly,
  stops: neverStopped,
  coordination: localCoordination,
  capture: null,
};
