import type { ServerIdentity } from "../surface.ts";
import { isBelowSource, type ProvenancePolicy } from "./policy.ts";

/** `denied` and `quarantine` block the whole server; `monitor` is told and serves. */
export type ProvenanceStatus = "allowed" | "monitor" | "quarantine" | "denied";

export interface Provenance {
  readonly status: ProvenanceStatus;
  /** One line: registry, package and version, never an argument of the command. "" where nothing is to be said. */
  readonly reason: string;
}

const allowed: Provenance = Object.freeze({ status: "allowed", reason: "" });
const told = (status: ProvenanceStatus, reason: string): Provenance => Object.freeze({ status, reason });

/**
 * Whether what runs comes from where it may, and is what was approved. `identity` is what the client resolved, never what the server says of itself;
 * `approved` is the one that the baseline was approved with. The first that objects decides: origin, pins, then what changed since.
 */
export const judgeProvenance = (
  policy: ProvenancePolicy,
  identity: ServerIdentity | null,
  approved: ServerIdentity | null,
): Provenance => {
  const origin = identity === null ? unresolved(policy, "the server") : originOf(policy, identity);
  if (origin.status === "denied" || origin.status === "quarantine") return origin;
  if (identity !== null) {
    const pins = pinsOf(policy, identity);
    if (pins !== null) return pins;
    const changed = approved === null ? null : changeOf(identity, approved);
    if (changed !== null) return told("quarantine", changed);
  }
  return origin;
};

const unresolved = ({ unknown, ...policy }: ProvenancePolicy, what: string): Provenance => {
  const asksNothing =
    policy.allowed_registries.length + policy.allowed_source_urls.length === 0 &&
    Object.keys(policy.pinned_versions).length + Object.keys(policy.pinned_hashes).length === 0;
  if (asksNothing) return allowed;
  return told(unknown === "deny" ? "denied" : "monitor", `where ${what} comes from could not be resolved`);
};

const originOf = (policy: ProvenancePolicy, identity: ServerIdentity): Provenance => {
  if (identity.kind === "http") {
    const sources = policy.allowed_source_urls;
    if (sources.length === 0 || sources.some((source) => isBelowSource(identity.url, source))) return allowed;
    return told("denied", "its URL is below none of allowed_source_urls");
  }
  const { package: from } = identity;
  if (from === null)
    return Object.hasOwn(policy.pinned_hashes, identity.command) || policy.allowed_registries.length === 0
      ? allowed
      : unresolved(policy, "the program");
  if (policy.allowed_registries.length === 0 || policy.allowed_registries.includes(from.registry)) return allowed;
  return told("denied", "its registry is none of allowed_registries");
};

const pinsOf = (policy: ProvenancePolicy, identity: ServerIdentity): Provenance | null => {
  if (identity.kind === "http") return null;
  const { package: from, executable, command } = identity;
  const name = from?.name ?? command;
  const version = own(policy.pinned_versions, name);
  if (version !== null && version !== from?.version)
    return told("quarantine", "its version is not the one of pinned_versions");
  const hash = own(policy.pinned_hashes, name);
  if (hash === null) return null;
  const actual = hash.startsWith("sha256:") ? executable : (from?.integrity ?? null);
  return actual === hash ? null : told("quarantine", "its bytes are not those of pinned_hashes");
};

const own = (map: Readonly<Record<string, string>>, name: string): string | null =>
  Object.hasOwn(map, name) ? (map[name] as string) : null;

/** A newer version of the same package is what updates are. Other bytes under the same version, or another origin, are not. */
const changeOf = (now: ServerIdentity, then: ServerIdentity): string | null => {
  if (now.kind === "http" || then.kind === "http") {
    if (now.kind !== then.kind) return "it was a program and is a URL now, or the other way round";
    return (now as { url: string }).url === (then as { url: string }).url ? null : "its URL is another";
  }
  if (now.package === null || then.package === null) {
    if (now.package !== then.package) return "it is of a package now and was of none, or the other way round";
    return differs(now.executable, then.executable) ? "its program has other bytes" : null;
  }
  if (now.package.registry !== then.package.registry || now.package.name !== then.package.name)
    return "it is of another package";
  if (now.package.version !== then.package.version) return null;
  return differs(now.package.integrity, then.package.integrity) || differs(now.executable, then.executable)
    ? "its bytes are others under the same version"
    : null;
};

/** What could not be read once says nothing. */
const differs = (now: string | null, then: string | null): boolean => now !== null && then !== null && now !== then;
