import type { Redis } from "ioredis";
import { nameOf, redisClient } from "./client.ts";
import { admitScript } from "./scripts.ts";
import type { RedisPlace } from "./url.ts";

const oldest = Object.freeze({ major: 6, minor: 2 });

/**
 * Is this a Redis that can keep what daemons agree on? Null where it is, else why not: too old, one that drops keys when
 * its memory is full, or one whose claims are made under another deployment's key. Subscribes to the ends of claims.
 */
export const admit = async (client: Redis, prefix: string, digest: string): Promise<string | null> => {
  const [info, deployment] = await Promise.all([
    client.info().catch((error: unknown) => {
      // A user who may not ask is believed to know: everything else is refused.
      if (nameOf(error) === "NOPERM") return "";
      throw error;
    }),
    client.eval(admitScript.text, 1, prefix, digest),
    client.subscribe(`${prefix}ended`),
  ]);
  const field = (name: string): string | null => new RegExp(`^${name}:(.*?)\r?$`, "m").exec(info)?.[1] ?? null;
  const version = field("redis_version");
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  if (version !== null && (major < oldest.major || (major === oldest.major && minor < oldest.minor))) {
    return `it is version ${version}; ${oldest.major}.${oldest.minor} or newer is needed`;
  }
  const policy = field("maxmemory_policy");
  if (policy !== null && policy !== "noeviction") {
    return `its maxmemory-policy is ${policy}, which drops claims when memory is full; set it to noeviction`;
  }
  if (deployment !== digest) {
    return "its claims are of another deployment_key; give all daemons the same, or this deployment another prefix";
  }
  return null;
};

/** Has a daemon been here before, and so a key? Asked on a connection of its own. Rejects where Redis cannot be asked. */
export const hasDeployment = async (place: RedisPlace): Promise<boolean> => {
  let why = "closed";
  const client = redisClient(place).on("error", (error: unknown) => {
    why = nameOf(error);
  });
  try {
    await client.connect();
    return (await client.exists(`${place.prefix}deployment`)) === 1;
  } catch (error) {
    throw new Error(error instanceof Error && nameOf(error) !== "Error" ? nameOf(error) : why);
  } finally {
    client.disconnect();
  }
};
