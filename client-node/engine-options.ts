import { isAbsolute, resolve } from "node:path";
import { isScopePin } from "../wire/scope-pin.ts";
import type { FallbackPlaces } from "./fallback/degraded.ts";
import { defaultSpool } from "./fallback/spool-directory.ts";
import { defaultGrace_ms, defaultTimeout_s } from "./limits.ts";
import { pinnedScope } from "./pinned-scope.ts";
import { type TokenOptions, type TokenSource, tokenSource } from "./token-source.ts";

export interface RemoteEngineOptions extends TokenOptions {
  /** Seconds from a question to its verdict, connecting and asking once more included. Default 5; null waits for ever. */
  readonly timeout?: number | null;
  /** What becomes of a call while nobody listens on the socket. Default `deny`. A daemon that answers badly or not at all is never absent. */
  readonly unreachable?: Absent;
  /** With `degraded`: the signed fallback policy by which calls are decided then. Read when it is needed. */
  readonly fallbackFile?: string;
  /** Public keys (PEM) of which one has to have signed it. */
  readonly fallbackKeyFile?: string;
  /** Where what was decided so is kept until the daemon is told, and which policy was used last. Default `offline` in `~/.interlock`. */
  readonly fallbackSpool?: string;
  /** Told of each call that was decided without the daemon. Default `process.emitWarning`. If it throws, the call is blocked. */
  readonly onFallback?: (message: string) => void;
  /** Milliseconds for which the socket may be gone before the daemon counts as unreachable; at most `timeout`. Default 1000. */
  readonly grace_ms?: number;
  /** Who acts, where an event does not say. */
  readonly principal?: string | null;
  /** A signed scope document: while the daemon serves another, or none, every call is blocked. Read and verified once. */
  readonly scopeFile?: string;
  /** Public keys (PEM) of which one has to have signed it. */
  readonly scopeKeyFile?: string;
  /** The document's pin itself (`sha256:...`), where it was verified elsewhere. In place of both. */
  readonly scope?: string;
}

/**
 * `deny` blocks. `degraded` decides by a signed policy, and blocks where that cannot decide. `allow` lets everything run.
 */
export type Absent = "deny" | "degraded" | "allow";

export interface EngineSettings {
  readonly timeout: number | null;
  readonly timeout_ms: number | null;
  readonly grace_ms: number;
  readonly unreachable: Absent;
  /** Null but with `degraded`. */
  readonly fallback: FallbackPlaces | null;
  readonly onFallback: (message: string) => void;
  readonly principal: string | null;
  readonly scope: string | null;
  readonly token: TokenSource;
}

/**
 * @throws TypeError a setting that is not one of those above
 * @throws SignedFileRefused the scope document, or its keys
 */
export const engineSettings = (path: string, options: RemoteEngineOptions): EngineSettings => {
  assertSocketPath(path);
  const timeout = options.timeout === undefined ? defaultTimeout_s : options.timeout;
  if (timeout !== null && !(typeof timeout === "number" && Number.isFinite(timeout) && timeout > 0)) {
    throw new TypeError("RemoteEngine: `timeout` is a number of seconds above 0, or null");
  }
  const grace_ms = options.grace_ms ?? defaultGrace_ms;
  if (!(typeof grace_ms === "number" && Number.isFinite(grace_ms) && grace_ms >= 0)) {
    throw new TypeError("RemoteEngine: `grace_ms` is a number of milliseconds");
  }
  const onFallback = options.onFallback ?? warn;
  if (typeof onFallback !== "function") throw new TypeError("RemoteEngine: `onFallback` is a function");
  const timeout_ms = timeout === null ? null : timeout * 1000;
  return Object.freeze({
    timeout,
    timeout_ms,
    grace_ms: timeout_ms === null ? grace_ms : Math.min(grace_ms, timeout_ms),
    ...absence(path, options),
    onFallback,
    principal: options.principal ?? null,
    scope: scopeOf(options),
    token: tokenSource(options),
  });
};

/** What a socket's address holds; some versions of Node cut a longer path off, and would connect to another socket. */
const longestPathBytes = process.platform === "linux" ? 107 : 103;

const assertSocketPath = (path: unknown): void => {
  if (typeof path !== "string" || path === "") throw new TypeError("RemoteEngine: the socket's path is missing");
  if (path.includes("\0")) throw new TypeError("RemoteEngine: the socket's path holds a NUL");
  if (Buffer.byteLength(path) > longestPathBytes) {
    throw new TypeError(`RemoteEngine: the socket's path is longer than ${longestPathBytes} bytes`);
  }
};

const scopeOf = ({ scope, scopeFile, scopeKeyFile }: RemoteEngineOptions): string | null => {
  if (scopeFile === undefined && scopeKeyFile === undefined) {
    if (scope === undefined || (typeof scope === "string" && isScopePin(scope))) return scope ?? null;
    throw new TypeError("RemoteEngine: `scope` is sha256: and 64 hex digits");
  }
  if (scope !== undefined)
    throw new TypeError("RemoteEngine: `scope` stands in place of `scopeFile` and `scopeKeyFile`");
  if (typeof scopeFile === "string" && typeof scopeKeyFile === "string") return pinnedScope(scopeFile, scopeKeyFile);
  throw new TypeError("RemoteEngine: `scopeFile` and `scopeKeyFile` are paths, and go together");
};

const absence = (path: string, options: RemoteEngineOptions): Pick<EngineSettings, "unreachable" | "fallback"> => {
  const { unreachable = "deny", fallbackFile, fallbackKeyFile, fallbackSpool } = options;
  if (unreachable !== "deny" && unreachable !== "allow" && unreachable !== "degraded") {
    throw new TypeError('RemoteEngine: `unreachable` is "deny", "degraded" or "allow"');
  }
  // A program that goes elsewhere would take the daemon for absent.
  if (unreachable !== "deny" && !isAbsolute(path)) {
    throw new TypeError(`RemoteEngine: with \`unreachable: "${unreachable}"\` the socket's path is absolute`);
  }
  if (unreachable !== "degraded") {
    if ((fallbackFile ?? fallbackKeyFile ?? fallbackSpool) === undefined) return { unreachable, fallback: null };
    throw new TypeError('RemoteEngine: a fallback policy goes with `unreachable: "degraded"`');
  }
  if (!isPath(fallbackFile) || !isPath(fallbackKeyFile)) {
    throw new TypeError('RemoteEngine: `unreachable: "degraded"` needs the paths `fallbackFile` and `fallbackKeyFile`');
  }
  const spool = fallbackSpool ?? defaultSpool(process.env);
  if (!isPath(spool)) throw new TypeError("RemoteEngine: `fallbackSpool` is the path of a directory");
  const fallback = { file: resolve(fallbackFile), keyFile: resolve(fallbackKeyFile), spool: resolve(spool) };
  return { unreachable, fallback: Object.freeze(fallback) };
};

const isPath = (path: unknown): path is string => typeof path === "string" && path !== "" && !path.includes("\0");

const warn = (message: string): void => process.emitWarning(message);
