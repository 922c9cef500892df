import { RuleDefinitionError } from "../definition-error.ts";
import { defaultWait_ms, defaultWindow_s, maxWait_ms, maxWindow_s } from "./limits.ts";
import type { Effect, IdempotencyTerms } from "./tool.ts";

export interface IdempotencyOptions {
  /** Default `arguments`; `off` for a tool of effect `read`. */
  readonly by?: "arguments" | "off" | { readonly key: string } | { readonly fields: readonly string[] };
  /** Default `principal`. */
  readonly scope?: "principal" | "tenant" | "global";
  /** Default 86,400: a day. */
  readonly window_s?: number;
  /** Default 2,000. */
  readonly wait_ms?: number;
}

const known = ["by", "scope", "window_s", "wait_ms"];

/** Throws `RuleDefinitionError`. */
export const idempotencyTerms = (options: IdempotencyOptions, effect: Effect, where: string): IdempotencyTerms => {
  const fail = (what: string): never => {
    throw new RuleDefinitionError(`${where}: idempotency: ${what}`);
  };
  if (typeof options !== "object" || options === null) fail('must be an object such as { by: { key: "request_id" } }');
  for (const key of Object.keys(options))
    if (!known.includes(key)) fail(`has an unknown key; known: ${known.join(", ")}`);
  const { by = effect === "read" ? "off" : "arguments", scope = "principal" } = options;
  const { window_s = defaultWindow_s, wait_ms = defaultWait_ms } = options;
  if (typeof window_s !== "number" || !(window_s > 0 && window_s <= maxWindow_s))
    fail(`window_s must be seconds, more than 0 and at most ${maxWindow_s}`);
  if (typeof wait_ms !== "number" || !(wait_ms >= 0 && wait_ms <= maxWait_ms))
    fail(`wait_ms must be from 0 to ${maxWait_ms}`);
  const rest = { scope, window_ms: Math.round(window_s * 1000), wait_ms: Math.round(wait_ms) };
  if (by === "arguments" || by === "off") return { by, paths: [], ...rest };
  if (typeof by === "object" && by !== null && Object.keys(by).length === 1) {
    if ("key" in by && typeof by.key === "string") return { by: "key", paths: [by.key], ...rest };
    if ("fields" in by && Array.isArray(by.fields) && by.fields.length > 0)
      return { by: "fields", paths: [...by.fields], ...rest };
  }
  return fail('by must be "arguments", "off", { key: PATH } or { fields: [PATH, ...] }');
};
