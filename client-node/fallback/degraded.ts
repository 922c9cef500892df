import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "../../wire/canonical.ts";
import type { ReceivedEvent } from "../../wire/event.ts";
import { decideOffline } from "../../wire/fallback/decide.ts";
import type { OfflineDecision } from "../../wire/offline-body.ts";
import { maxDocumentBytes } from "../../wire/signed-document.ts";
import { maxKeyFileBytes } from "../limits.ts";
import { FileUnread, readRegularFile } from "../regular-file.ts";
import { type PublicKeys, publicKeysOf, SignedFileRefused } from "../signed-file.ts";
import { type AcceptedPolicy, acceptDocument, checkMayDecide } from "./accept-document.ts";
import { type FallbackRefusal, FallbackRefused } from "./refusal.ts";
import { newestSeen, rememberSeen } from "./seen-policies.ts";
import { Spool } from "./spool.ts";
import { directoryFor, secureDirectory } from "./spool-directory.ts";

/** Where the signed policy is, the public keys that are believed, and the directory of spools. Absolute paths. */
export interface FallbackPlaces {
  readonly file: string;
  readonly keyFile: string;
  readonly spool: string;
}

/** What was verified, and the bytes that it was: the files are read again each time, and verified where they changed. */
interface Verified {
  readonly document: Uint8Array;
  readonly keys: Uint8Array;
  readonly accepted: AcceptedPolicy;
}

/**
 * Decides in the place of a daemon that cannot be reached. In order: the policy's signature, what was seen before, its days, the
 * decision, and a durable note of it for the daemon. Each step that fails throws `FallbackRefused`, and the call is blocked.
 */
export class DegradedMode {
  readonly spool: Spool;
  readonly #places: FallbackPlaces;
  readonly #now_ms: () => number;
  #verified: Verified | null = null;

  constructor(places: FallbackPlaces, socketPath: string, now_ms: () => number = Date.now) {
    this.#places = places;
    this.#now_ms = now_ms;
    this.spool = new Spool(directoryFor(places.spool, socketPath));
  }

  /** Nothing is kept of it yet. @throws FallbackRefused */
  decide({ event, argsJson }: ReceivedEvent): OfflineDecision {
    const at_ms = this.#now_ms();
    const { directory } = this.spool;
    secureDirectory(directory);
    const accepted = this.#accepted();
    const seen = newestSeen(directory);
    checkMayDecide(accepted, seen, at_ms);
    if (seen === null || seen.version < accepted.seen.version) {
      rememberSeen(directory, accepted.seen);
      // Another process may have used a newer one, or another text of this one, meanwhile.
      checkMayDecide(accepted, newestSeen(directory), at_ms);
    }
    const { action, phase, principal, parent_principal, call_id } = event;
    const { verdict, rule } = decideOffline(accepted.policy, { action, phase, principal, args: argsJson });
    const salt = randomBytes(16).toString("hex");
    return Object.freeze({
      id: randomBytes(16).toString("hex"),
      at_ms,
      ...{ action, phase, principal, parent_principal, call_id },
      args_commitment: commitment(phase, salt, canonicalJson(argsJson)),
      salt,
      ...{ verdict, rule },
      policy: `${accepted.policy.id}@${accepted.policy.version}`,
    });
  }

  #accepted(): AcceptedPolicy {
    const { file, keyFile } = this.#places;
    const keys = bytesOf(keyFile, maxKeyFileBytes, "fallback_key_unusable", "fallback_key_unusable");
    const document = bytesOf(file, maxDocumentBytes, "fallback_missing", "fallback_malformed");
    const known = this.#verified;
    if (known !== null && Buffer.compare(known.keys, keys) === 0 && Buffer.compare(known.document, document) === 0) {
      return known.accepted;
    }
    this.#verified = null;
    const accepted = acceptDocument(document, keysOf(keys, keyFile), file);
    this.#verified = { document, keys, accepted };
    return accepted;
  }
}

const prefixes = Object.freeze({ call: "interlock args v1\n", result: "interlock response v1\n" });

const commitment = (phase: keyof typeof prefixes, salt: string, canonicalArgs: string): string =>
  `sha256:${createHash("sha256").update(`${prefixes[phase]}${salt}\n${canonicalArgs}`, "utf8").digest("hex")}`;

const keysOf = (bytes: Uint8Array, file: string): PublicKeys => {
  try {
    return publicKeysOf(bytes, file);
  } catch (error) {
    if (!(error instanceof SignedFileRefused)) throw error;
    throw new FallbackRefused("fallback_key_unusable", error.message);
  }
};

const bytesOf = (file: string, maxBytes: number, missing: FallbackRefusal, tooLarge: FallbackRefusal): Uint8Array => {
  try {
    return readRegularFile(file, maxBytes);
  } catch (error) {
    if (!(error instanceof FileUnread)) throw error;
    const code = { missing, too_large: tooLarge, unreadable: unreadableOf(missing) }[error.why];
    throw new FallbackRefused(code, error.message);
  }
};

const unreadableOf = (missing: FallbackRefusal): FallbackRefusal =>
  missing === "fallback_missing" ? "fallback_unreadable" : missing;
