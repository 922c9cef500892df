import type { ServerIdentity } from "../../wire/server-identity.ts";
import type { NamedServer } from "../../wire/surface-body.ts";
import type { WireObject } from "../../wire/value.ts";

export type { PackageIdentity, ServerIdentity } from "../../wire/server-identity.ts";

/**
 * What an MCP server offers, as one client saw it. The argument of this folder, in the order of the path of a listing:
 *
 * 1. `parse-surface.ts`: a reported listing becomes a `Surface` or is refused, by name: size limits first, no duplicate, every item hashed.
 * 2. `classify/`: what changed against the approved baseline, which never is what was seen last, and what the change introduces.
 * 3. `state/`: what may still be called. A quarantine ends by an approval that names the hash it is of, and by nothing else.
 * 4. `gates/quarantine.ts`: each call of a server's tool is held against what its own session saw, before it runs and when it is settled.
 */
export const itemKinds = Object.freeze(["instructions", "prompt", "resource", "template", "tool"] as const);
export type ItemKind = (typeof itemKinds)[number];

/** `name` is the tool's or prompt's name, the resource's URI, the template's URI template; "" for instructions. */
export interface ItemRef {
  readonly kind: ItemKind;
  readonly name: string;
}

/** One item as the server defines it, every field of it; frozen. */
export interface SurfaceItem extends ItemRef {
  /** The whole definition as listed; of instructions `{text}`. */
  readonly definition: WireObject;
  /** `sha256:<hex>` of the JCS bytes of `definition`. */
  readonly hash: string;
}

/** A server and whom it shows itself to: servers list by authorization, so each credential has a baseline of its own. */
export type ServerKey = NamedServer;

/** Every item of every page of every list, at one moment; frozen. */
export interface Surface extends ServerKey {
  readonly identity: ServerIdentity | null;
  /** Sorted by kind, then name; no two with the same of both. */
  readonly items: readonly SurfaceItem[];
  /** Which lists the client asked for: what was not asked for is not gone. */
  readonly listed: readonly ItemKind[];
  /** `sha256:<hex>` over `[[kind, name, hash], ...]` and nothing else. */
  readonly hash: string;
}

export const itemKey = ({ kind, name }: ItemRef): string => `${kind}:${name}`;
