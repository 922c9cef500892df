import type { Settings } from "../../config/settings.ts";
import type { LoadedRules } from "../loaded.ts";
import { digestOfSets } from "../verify.ts";
import { selfProtection } from "./index.ts";
import { type DaemonItself, protectedBy } from "./places.ts";

/** The rules with the daemon's own before them, unless the configuration takes that away. Its version is the daemon's, and is in no sum. */
export const withSelfProtection = (loaded: LoadedRules, settings: Settings, daemon: DaemonItself): LoadedRules => {
  if (settings.self_protection === "off") return loaded;
  const sets = Object.freeze([selfProtection(protectedBy(settings, loaded.sets, daemon)), ...loaded.sets]);
  return Object.freeze({ digest: digestOfSets(sets), version: loaded.version, sets });
};
