import { isError } from "./error-name.ts";

/** Errors that came about because somebody stopped waiting, or lost the way to where the effect is. */
const names: readonly string[] = ["AbortError", "TimeoutError"];
const codes: readonly string[] = [
  "ABORT_ERR",
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ERR_CANCELED",
  "ETIMEDOUT",
  "UND_ERR_ABORTED",
  "UND_ERR_BODY_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
];
const deepestCause = 8;

/**
 * Does the error leave open whether the effect came about? Then the call is not reported as failed, which would let the next one
 * run: the daemon makes it `unknown` once its lease is over.
 */
export const isCutShort = (error: unknown): boolean => {
  try {
    let at = error;
    for (let depth = 0; depth < deepestCause && isError(at); depth++) {
      const { name, code, cause } = at as NodeJS.ErrnoException;
      if (names.includes(name) || (typeof code === "string" && codes.includes(code))) return true;
      at = cause;
    }
    return false;
  } catch {
    return true;
  }
};

/** Of JSON-RPC, and of the SDKs' own: the connection closed, the time ran out, and what they say of a result that they refuse. */
const notTheServers: readonly unknown[] = [-32000, -32001, -32600, -32602];

/**
 * The same of an MCP client's error. Only what the server itself answered tells that the tool failed, and only a code that the SDKs do
 * not use when they refuse the result of a tool that ran.
 */
export const isCutShortMcp = (error: unknown): boolean => {
  try {
    const { code } = error as { readonly code?: unknown };
    return !isError(error) || !Number.isInteger(code) || notTheServers.includes(code);
  } catch {
    return true;
  }
};
