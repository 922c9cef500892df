import { scopePin } from "../../wire/scope-pin.ts";
import type { Trust } from "../keys/trust.ts";
import { type DocumentFile, verifyDocument } from "../keys/verify-document.ts";
import type { ServedVersions } from "../rulesets/rollback.ts";
import type { CheckedScopes } from "./check.ts";
import { readPayload } from "./payload.ts";
import { ScopesRefused } from "./refusal.ts";
import { servedName } from "./served-name.ts";

/** A document that enough believed keys have signed, and in which nothing is wrong. Frozen. */
export interface LoadedScopes extends CheckedScopes {
  readonly path: string;
  /** `sha256:<hex>` of what is signed: what clients pin. */
  readonly pin: string;
  readonly key_ids: readonly string[];
  /** From then on every call is blocked; null for no end. */
  readonly not_after_ms: number | null;
}

export interface ScopesToLoad {
  readonly file: DocumentFile;
  readonly trust: Trust;
  readonly served: ServedVersions;
  readonly now_ms: number;
  /** At the restart of an engine a document whose day has come goes on being served: it blocks every call. */
  readonly when: "start" | "reload" | "restart";
}

/** Signatures first, then what was signed, its day, and whether it is older than what was served. Throws `DocumentRefused`, `ScopesRefused`. */
export const loadScopes = async ({ file, trust, served, now_ms, when }: ScopesToLoad): Promise<LoadedScopes> => {
  const { payload, key_ids } = verifyDocument(file, "scopes", trust, now_ms);
  const checked = readPayload(payload, file.path);
  const { id, version, not_after } = checked.document;
  const not_after_ms = not_after === null ? null : Date.parse(not_after);
  if (when !== "restart" && not_after_ms !== null && not_after_ms <= now_ms)
    throw new ScopesRefused("expired", `scope document ${file.path} expired at ${not_after}; sign a newer one`);
  const pin = scopePin(payload);
  const last = await served.get(servedName(id));
  if (last !== undefined && (version < last.version || (version === last.version && pin !== last.digest)))
    throw new ScopesRefused(
      "rolled_back",
      version < last.version
        ? `scope document ${file.path} is version ${version} of ${id}; version ${last.version} was served; sign a newer one`
        : `scope document ${file.path} is version ${version} of ${id} with other contents than were served; raise its version`,
    );
  return Object.freeze({ ...checked, path: file.path, pin, key_ids, not_after_ms });
};
