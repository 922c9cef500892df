import type { WireObject } from "../../wire/value.ts";

/**
 * What an MCP server offers, as one client saw it. The argument of this folder, in the order of the path of a listing:
 *
 * 1. `parse-surface.ts`: a reported listing becomes a `Surface` or is refused, by name: size limits first, no duplicate, every item hashed.
 * 2. `classify/`: what changed against the approved baseline, which never is what was seen last, and what the change introduces.
 * 3. `state/`: what may still be called. A quarantine ends by an approval that names the hash it is of, and by nothing else.
 * 4. `gates/quarantine.ts`: each call of a server's tool is held against what its own session saw, before it runs and when it is settled.
 */
export type ItemKind = "instructions" | "prompt" | "resource" | "template" | "tool";

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
export interface ServerKey {
  /** The name that the client or the operator gave it, never what it says of itself. */
  readonly server: string;
  /** `sha256:<hex>` of the credential's context; null where the client shows none. */
  readonly credential: string | null;
}

/** What runs, as the client resolved it; the server's own word (`serverInfo`) is no part of it. */
export type ServerIdentity =
  | {
      readonly kind: "stdio";
      readonly command: string;
      /** `sha256:<hex>` of the JCS array of the arguments: they may hold secrets. */
      readonly args: string;
      /** `sha256:<hex>` of the resolved executable's (or script's) bytes; null where it could not be read. */
      readonly executable: string | null;
      readonly package: PackageIdentity | null;
    }
  | {
      readonly kind: "http";
      /** Without user information, query and fragment. */
      readonly url: string;
      /** `sha256:<hex>` of the certificate's public key; null without TLS. */
      readonly tls_key: string | null;
    };

export interface PackageIdentity {
  readonly registry: string;
  readonly name: string;
  readonly version: string;
  /** As the lock file or the registry has it (`sha512-...`); null where unknown. */
  readonly integrity: string | null;
}

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
