import type { Settings } from "../../config/settings.ts";
import type { LoadedRules } from "../loaded.ts";
import { digestOfSets } from "../verify.ts";
import { selfProtection } from "./index.ts";
import { type DaemonItself, protectedBy } from "./places.ts";

/**
 * The rules with the daemon's own behind them, unless the configuration takes that away: a block counts wherever it comes from, and
 * the configured rules have the first word on why. Its version is the daemon's, and is in no sum.
 */
export const withSelfProtection = (loaded: LoadedRules, settings: Settings, daemon: DaemonItself): LoadedRules => {
  if (settings.self_protection === "off") return loaded;
  const sets = Object.freeze([...loaded.sets, selfProtection(protectedBy(settings, loaded.sets, daemon))]);
  return Object.freeze({ ...loaded, digest: digestOfSets(sets), sets });
};
