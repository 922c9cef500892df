import type { WireValue } from "../../../wire/value.ts";

/** What a server answered to a probing call, as MCP and HTTP have it. */
export type ProbeAnswer =
  | {
      readonly kind: "result";
      readonly isError: boolean;
      readonly texts: readonly string[];
      readonly structured: WireValue;
    }
  | { readonly kind: "rpc_error"; readonly code: number; readonly message: string; readonly status: number | null }
  | { readonly kind: "http"; readonly status: number; readonly location: string | null }
  /** The guard in between said no: of the server it says nothing. `code` is of docs/errors.md. */
  | { readonly kind: "blocked"; readonly code: string }
  | { readonly kind: "malformed" }
  | { readonly kind: "timeout" }
  | { readonly kind: "network" };

export const observedOutcomes = Object.freeze([
  "allowed",
  "accepted",
  "denied",
  "unknown",
  "inconclusive_rate_limited",
  "inconclusive_upstream_error",
  "inconclusive_probe_error",
] as const);
export type ObservedOutcome = (typeof observedOutcomes)[number];

export interface Observed {
  readonly outcome: ObservedOutcome;
  /** `forbidden`, `auth_required`, `not_found`, `conflict`, `redirect`, `timeout`, ..., `tool_error`; null where nothing went wrong. */
  readonly error_class: string | null;
}

const observed = (outcome: ObservedOutcome, error_class: string | null): Observed =>
  Object.freeze({ outcome, error_class });

/**
 * Did the server let the call happen? A denial that MCP tools give is a result with `isError` (2025-11-25, tools: errors of the tool are
 * results), so its text and its structured status are read; the word `scope` alone denies nothing.
 */
export const observedOutcome = (answer: ProbeAnswer): Observed => {
  switch (answer.kind) {
    case "timeout":
    case "network":
      return observed("inconclusive_upstream_error", answer.kind);
    case "blocked":
      return observed("inconclusive_probe_error", "blocked_by_guard");
    case "malformed":
      return observed("inconclusive_probe_error", "malformed_response");
    case "http":
      return ofStatus(answer.status, answer.location);
    case "rpc_error":
      if (answer.status !== null) return ofStatus(answer.status, null);
      return invalid.has(answer.code)
        ? observed("inconclusive_probe_error", "invalid_request")
        : ofText([answer.message]);
    case "result": {
      if (!answer.isError) return observed("allowed", null);
      const status = statusIn(answer.structured);
      return status === null ? ofText(answer.texts) : ofStatus(status, null);
    }
  }
};

/** JSON-RPC: no such method, parameters that are none, a message that is none. The probe is wrong, not the permission. */
const invalid = new Set([-32700, -32600, -32601, -32602]);

const ofStatus = (status: number, location: string | null): Observed => {
  if (status === 401) return observed("denied", "auth_required");
  if (status === 403) return observed("denied", "forbidden");
  if (status === 429) return observed("inconclusive_rate_limited", "rate_limited");
  if (status >= 500) return observed("inconclusive_upstream_error", `http_${status}`);
  if (status === 404) return observed("unknown", "not_found");
  if (status === 409) return observed("unknown", "conflict");
  if (status >= 400) return observed("unknown", `http_${status}`);
  if (status >= 300) return isLogin(location) ? observed("denied", "auth_required") : observed("unknown", "redirect");
  return status === 201 || status === 202 || status === 204 ? observed("accepted", null) : observed("allowed", null);
};

const isLogin = (location: string | null): boolean =>
  (location ?? "")
    .slice(0, 2_048)
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => logins.has(word));
const logins = new Set(["login", "signin", "auth", "oauth", "sso", "authorize"]);

const statusIn = (value: WireValue): number | null => {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array) return null;
  const fields = value as { readonly [name: string]: WireValue };
  for (const name of ["status", "status_code", "statusCode", "code", "http_status"]) {
    const status = Object.hasOwn(fields, name) ? Number(fields[name]) : Number.NaN;
    if (Number.isInteger(status) && status >= 300 && status < 600) return status;
  }
  return Object.hasOwn(fields, "error") ? statusIn(fields.error as WireValue) : null;
};

const maxCharacters = 4_096;

const ofText = (texts: readonly string[]): Observed => {
  const text = ` ${texts
    .join(" ")
    .slice(0, maxCharacters)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .join(" ")} `;
  const has = (phrases: readonly string[]): boolean => phrases.some((phrase) => text.includes(` ${phrase} `));
  if (has(limited)) return observed("inconclusive_rate_limited", "rate_limited");
  if (has(unauthenticated)) return observed("denied", "auth_required");
  if (has(forbidden)) return observed("denied", "forbidden");
  if (has(broken)) return observed("inconclusive_upstream_error", "upstream_error");
  if (has(missing)) return observed("unknown", "not_found");
  return observed("unknown", "tool_error");
};

/** Whole phrases of words, in the order in which they are asked. */
const limited = ["rate limit", "rate limited", "rate limit exceeded", "too many requests", "429"];
const unauthenticated = [
  "401",
  "unauthorized",
  "unauthorised",
  "unauthenticated",
  "authentication required",
  "login required",
];
const forbidden = [
  "403",
  "forbidden",
  "permission denied",
  "access denied",
  "access is denied",
  "not authorized",
  "not authorised",
  "not permitted",
  "not allowed",
  "operation not permitted",
  "insufficient permission",
  "insufficient permissions",
  "insufficient privileges",
  "insufficient scope",
  "insufficient scopes",
  "missing required scope",
  "requires permission",
  "lacks permission",
  "do not have permission",
  "does not have permission",
  "don t have permission",
  "eacces",
  "eperm",
];
const broken = [
  "500",
  "502",
  "503",
  "504",
  "internal server error",
  "bad gateway",
  "service unavailable",
  "gateway timeout",
  "timed out",
  "timeout",
];
const missing = ["404", "not found", "no such", "does not exist", "enoent"];
