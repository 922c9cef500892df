import type { SignalSource } from "./signal.ts";

/** Everything that looks at a passage of a result. */
export const sources: readonly SignalSource[] = Object.freeze([]);
