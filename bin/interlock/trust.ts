import { type Flags, resolveSettings } from "../../daemon/config/resolve.ts";
import type { TrustPlaces } from "../../daemon/keys/trust-files.ts";

/** Whom the configuration says to believe, where the command line names no file of keys: then those count alone. */
export const trustOf = async (flag: string | undefined, config: string | undefined): Promise<TrustPlaces> => {
  if (flag !== undefined) return { trust: [flag], keyring: null };
  const flags: Flags = config === undefined ? {} : { config };
  return resolveSettings(flags, process.env, process.cwd());
};
