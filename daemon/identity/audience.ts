import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Settings } from "../config/settings.ts";
import { localOnly } from "../coordination/address.ts";
import { ExitCode, Refusal } from "../exit-codes.ts";
import { embeddedStore } from "../store/postgres/address.ts";
import { findStateDirectory } from "../store/state-directory.ts";
import { readStoreKey } from "../store/store-key.ts";

type Chosen = Pick<Settings, "audience" | "state" | "store" | "coordination" | "deployment_key">;

/** A daemon that shares a store or a coordination has the deployment's name, any other that of its chain. */
const isShared = ({ store, coordination }: Chosen): boolean => store !== embeddedStore || coordination !== localOnly;

/**
 * What tokens for this daemon name: the setting, else a name that nobody has to write down and no other daemon has. The daemons of
 * one deployment share one, from the key that they share. Throws Refusal where there is none yet.
 *
 * @param chain the chain of the state directory; null where it has none.
 */
export const audienceOf = (settings: Chosen, chain: string | null): string => {
  if (settings.audience !== null) return settings.audience;
  if (isShared(settings)) {
    const key = readStoreKey(settings.deployment_key);
    if (key === null) throw noneYet(settings.deployment_key);
    return `deployment:${createHash("sha256").update("interlock audience v1\n").update(key).digest("hex").slice(0, 32)}`;
  }
  if (chain === null) throw noneYet(settings.state);
  return `chain:${chain}`;
};

/** The same for a command, with or without a daemon that runs: it looks into the state directory and changes nothing there. */
export const audienceHere = async (settings: Chosen): Promise<string> => {
  if (settings.audience !== null || isShared(settings)) return audienceOf(settings, null);
  const { chainIn } = await import("../store/sqlite/chain-in.ts");
  return audienceOf(
    settings,
    existsSync(settings.state) ? chainIn(findStateDirectory(settings.state).ledgerPath) : null,
  );
};

const noneYet = (place: string): Refusal =>
  new Refusal(
    ExitCode.refused,
    `${place} names no daemon yet: start it once, or write its name as \`audience\` in the configuration`,
  );
