import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { isScopePin } from "../../wire/scope-pin.ts";
import type { RemoteEngineOptions } from "../engine-options.ts";
import { type HandedToken, tokenOptions } from "./handed-token.ts";

/** What a preload guards a thread with. Plain data: it is handed to other threads. */
export interface PreloadSettings {
  readonly socketPath: string;
  readonly principal: string | null;
  /** Seconds; null waits for ever, undefined is the default. */
  readonly timeout: number | null | undefined;
  /** The pin of the scope document that the daemon has to serve. */
  readonly scope: string | null;
  readonly token: HandedToken;
  readonly enforcement: "blocking" | "monitor";
  readonly groups: { readonly fs: boolean; readonly exec: boolean; readonly http: boolean; readonly net: boolean };
}

/** The name among Node's environment data under which they are handed to threads (worker-settings.ts keeps it from the program). */
export const settingsKey = "interlock.guard";
const put = setEnvironmentData;

/** Every worker thread that is started from now on gets them, whatever environment it is given. */
export const handToWorkers = (settings: PreloadSettings | null): void => {
  put(settingsKey, settings ?? undefined);
};

/** @throws TypeError with the line that the program's user reads */
export const preloadSettings = (env: Readonly<Record<string, string | undefined>>): PreloadSettings => {
  const handed = isMainThread ? undefined : (getEnvironmentData(settingsKey) as PreloadSettings | undefined);
  if (handed !== undefined) return handed;
  const {
    INTERLOCK_SOCKET: socketPath,
    INTERLOCK_PRINCIPAL: principal,
    INTERLOCK_TIMEOUT: timeout,
    INTERLOCK_SCOPE: scope,
    INTERLOCK_TOKEN_FILE: tokenFile,
  } = env;
  if (socketPath === undefined || socketPath === "") {
    throw new TypeError("INTERLOCK_SOCKET is not set; name the daemon's socket");
  }
  return {
    socketPath,
    principal: principal === undefined || principal === "" ? null : principal,
    timeout: timeout === undefined || timeout === "" ? undefined : seconds(timeout),
    scope: scope === undefined || scope === "" ? null : pin(scope),
    token: tokenIn(tokenFile),
    enforcement: "blocking",
    groups: { fs: true, exec: true, http: true, net: true },
  };
};

/** How an engine is made of them. */
export const engineOptions = ({ principal, timeout, scope, token }: PreloadSettings): RemoteEngineOptions => ({
  principal,
  ...(timeout === undefined ? {} : { timeout }),
  ...(scope === null ? {} : { scope }),
  ...tokenOptions(token),
});

/** A file, so that the token itself is in no environment that a child inherits or another process reads. */
const tokenIn = (path: string | undefined): HandedToken =>
  path === undefined || path === "" ? { kind: "none" } : { kind: "file", path };

const pin = (text: string): string => {
  if (isScopePin(text)) return text;
  throw new TypeError("INTERLOCK_SCOPE is sha256: and 64 hex digits");
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new TypeError("INTERLOCK_TIMEOUT is a number of seconds above 0");
};
