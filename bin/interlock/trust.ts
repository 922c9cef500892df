import { type Flags, resolveSettings } from "../../daemon/config/resolve.ts";

/** The trusted keys that the configuration names, where the command line names none. */
export const trustOf = async (flag: string | undefined, config: string | undefined): Promise<readonly string[]> => {
  if (flag !== undefined) return [flag];
  const flags: Flags = config === undefined ? {} : { config };
  return (await resolveSettings(flags, process.env, process.cwd())).trust;
};
