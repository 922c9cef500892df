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
 * Whether what runs comes from where it may. `identity` is what the client resolved, never what the server says of itself; whether it is
 * who was approved is for the classification (`identity_changed`). The first that objects decides: origin, then pins.
 */
export const judgeProvenance = (policy: ProvenancePolicy, identity: ServerIdentity | null): Provenance => {
  if (identity === null) return unresolved(policy, "the server");
  const origin = originOf(policy, identity);
  return origin.status === "denied" ? origin : (pinsOf(policy, identity) ?? origin);
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
