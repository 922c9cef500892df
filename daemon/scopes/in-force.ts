import type { Policies } from "../contracts/policy.ts";
import type { DocumentFile } from "../keys/verify-document.ts";
import type { OpenLedger } from "../ledger/record.ts";
import type { LoadedScopes, ScopesToLoad } from "./load.ts";
import type { Scopes } from "./scopes.ts";
import { servedName } from "./served-name.ts";

/** Under this name the store remembers which document is in force. No document's id is empty. */
const inForce = servedName("");
const none = "none";

/**
 * The configured document, where there is one. What reads it brings the schema library and the patterns' engine with it,
 * so a daemon without one does not wait for these. Throws as `loadScopes` does.
 */
export const loadConfiguredScopes = async (
  file: DocumentFile | null,
  by: Omit<ScopesToLoad, "file">,
): Promise<LoadedScopes | null> => (file === null ? null : (await import("./load.ts")).loadScopes({ file, ...by }));

/** Ready to judge. @param principalOf what the rule sets in force say of principals. */
export const judgingScopes = async (
  loaded: LoadedScopes | null,
  principalOf: Policies["principal"],
): Promise<Scopes | null> =>
  loaded === null ? null : (await import("./compiled-scopes.ts")).compiledScopes(loaded, principalOf);

/**
 * Remembers which document is served from now on, and its version, before it is. `note` is told one line for the ledger
 * where that is another document than before, or none after one. Throws StoreFailed, and what `note` throws.
 */
export const noteScopes = async (
  ledger: Pick<OpenLedger, "served" | "recordServed">,
  loaded: LoadedScopes | null,
  note: (line: string) => Promise<void>,
): Promise<void> => {
  const before = (await ledger.served(inForce))?.digest ?? none;
  const digest = loaded?.pin ?? none;
  // An engine that is restarted has nothing new to write, so that a full disk does not keep it from blocking.
  if (before === digest) return;
  await note(`${nameOf(loaded)}; before: ${before}`);
  const version = loaded?.document.version ?? 0;
  if (loaded !== null) await ledger.recordServed(servedName(loaded.document.id), { version, digest });
  await ledger.recordServed(inForce, { version, digest });
};

const nameOf = (loaded: LoadedScopes | null): string => {
  if (loaded === null) return "no scope document";
  const { document, pin, key_ids } = loaded;
  return `scope document ${document.id}@${document.version} ${pin}, signed by ${key_ids.join(", ")}`;
};
