import type { Settings } from "../config/settings.ts";
import type { Trust } from "../keys/trust.ts";
import type { Publication } from "./publication.ts";

/**
 * The configured policy, signed and not yet published; null where there is none. What reads it brings the schema library with
 * it, so a daemon without one does not wait for that. Throws as `preparePublication` does.
 */
export const preparedFallback = async (
  { fallback_policy, fallback_key }: Pick<Settings, "fallback_policy" | "fallback_key">,
  trust: Trust,
): Promise<Publication | null> => {
  if (fallback_policy === null) return null;
  const { preparePublication } = await import("./publication.ts");
  return preparePublication({ path: fallback_policy, keyPath: fallback_key, trust, now_ms: Date.now() });
};

/** Puts it where clients read it, once the engine has found it newer than what was published, and has noted it. Resolves to one line. */
export const publishedFallback = async (publication: Publication | null): Promise<string | null> => {
  if (publication === null) return null;
  const { publish, publishedPath } = await import("./publication.ts");
  await publish(publication);
  return `fallback policy ${publication.id} ${publication.version} published to ${publishedPath(publication.path)}`;
};
