import type { Stopped } from "./stop-switch.ts";

/** For tests of what is asked while nothing is stopped. */
export const neverStopped: Stopped = Object.freeze({ block: null, begun_ms: 0 });
