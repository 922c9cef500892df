import { z } from "zod";

const name = z.string().min(1).max(512);
const names = z.array(name).max(1_000);
const sourceUrl = z.string().max(2_048).refine(isSource, "an http or https URL without user, query and fragment");

/**
 * Where servers may come from, as the configuration states it. An empty list of registries or URLs asks nothing; a pin is asked of its own package or
 * command. `pinned_hashes` are of a package's integrity (`sha512-...`) or of an executable (`sha256:<hex>`); both kinds of pins are by the package's
 * name, or by the command where there is no package.
 */
export const provenanceSchema = z.strictObject({
  allowed_registries: names.default([]),
  allowed_source_urls: z.array(sourceUrl).max(1_000).default([]),
  pinned_versions: z.record(name, name).default({}),
  pinned_hashes: z
    .record(name, z.string().regex(/^(?:sha256:[0-9a-f]{64}|sha(?:256|384|512)-[A-Za-z0-9+/=]{40,100})$/))
    .default({}),
  /** What becomes of a server whose origin the client could not resolve, where the policy asks for one. */
  unknown: z.enum(["allow", "deny"]).default("deny"),
});
export type ProvenancePolicy = Readonly<z.infer<typeof provenanceSchema>>;

/** Asks nothing. */
export const anyOrigin: ProvenancePolicy = Object.freeze(provenanceSchema.parse({}));

function isSource(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && `${username}${password}${search}${hash}` === "";
}

/** Is `url` the source itself or below it, by whole parts of its path? Both as the WHATWG parser reads them. */
export const isBelowSource = (url: string, source: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [one, other] = [new URL(url), new URL(source)];
  const folder = other.pathname.endsWith("/") ? other.pathname : `${other.pathname}/`;
  return one.origin === other.origin && (one.pathname === other.pathname || one.pathname.startsWith(folder));
};
