import type { Settings } from "../config/settings.ts";
import { localOnly } from "./address.ts";
import type { Coordination } from "./coordination.ts";
import { localCoordination } from "./local.ts";

export interface OpenCoordination {
  readonly coordination: Coordination;
  /** What claims, fingerprints and counters are hashed under, so that daemons agree on them; null: the store's own key. */
  readonly key: Uint8Array | null;
}

export interface CoordinationOptions {
  /** The chain that this daemon writes: it is known by it at every start. */
  readonly chain: string;
  /** Whether it starts, or its engine was restarted while it serves. */
  readonly when: "start" | "restart";
  /** Lines for the operator. */
  log(line: string): void;
}

/**
 * Opens what the settings name. At a start a Redis that cannot be used is a Refusal with exit code 5, and so is a key
 * of the deployment that is missing here and known elsewhere.
 */
export const openCoordination = async (
  { coordination, deployment_key }: Pick<Settings, "coordination" | "deployment_key">,
  { chain, when, log }: CoordinationOptions,
): Promise<OpenCoordination> => {
  if (coordination === localOnly) return { coordination: localCoordination, key: null };
  // Loaded only where it is used: a daemon of its own starts without it.
  const [{ redisCoordination, refuse }, { parseRedisUrl }, { hasDeployment }, { deploymentKey }] = await Promise.all([
    import("./redis/open.ts"),
    import("./redis/url.ts"),
    import("./redis/admit.ts"),
    import("./deployment-key.ts"),
  ]);
  const place = parseRedisUrl(coordination);
  const isShared = () => hasDeployment(place).catch((error: unknown) => refuse(place, error));
  const key = await deploymentKey(deployment_key, isShared);
  return { coordination: await redisCoordination(place, { key, owner: chain, when, log }), key };
};
