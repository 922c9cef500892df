import { type FeatureSet, parseAgreed } from "./features.ts";
import { nonEmptyString, objectField, onlyKeys, own, refuse, wholeNumber } from "./fields.ts";
import { MAX_LINE, maxNameBytes } from "./limits.ts";
import type { JsonValue } from "./value.ts";

/**
 * `{daemon, features, max_frame, mode, rules, rules_version}`, all required.
 * `daemon` names the program (`interlock/1.0.0`). `features` is what both peers know. `max_frame` is the longest frame it
 * reads, in bytes with the newline. `mode` is `enforce`; there is no other, so that one which enforces less could not be taken
 * for it. `rules` is the digest of the rules in force, `rules_version` a whole number that only rises.
 */
export interface HelloAnswer {
  readonly daemon: string;
  readonly features: FeatureSet;
  readonly max_frame: number;
  readonly mode: "enforce";
  readonly rules: string;
  readonly rules_version: number;
}

/**
 * `{receipts, reload: {count, message, ok}, rules, rules_version, status, uptime_s}`, all required.
 * `status`: `serving`; `draining` (stopping, new calls are blocked); `disabled` and `stopped` (everything is blocked). `receipts` is the number
 * of receipts in the chain, `uptime_s` the seconds since start. `reload` tells of the rules' reloads: how many since start,
 * whether the last went well (true where there was none), and its message (may be empty).
 */
export interface HealthAnswer {
  readonly status: "serving" | "draining" | "disabled" | "stopped";
  readonly rules: string;
  readonly rules_version: number;
  readonly receipts: number;
  readonly uptime_s: number;
  readonly reload: { readonly count: number; readonly ok: boolean; readonly message: string };
}

export const parseHelloAnswer = (json: JsonValue | undefined, id: string): HelloAnswer => {
  const hello = objectField(json, "hello", id);
  onlyKeys(hello, ["daemon", "features", "max_frame", "mode", "rules", "rules_version"], "hello", id);
  const max_frame = wholeNumber(own(hello, "max_frame"), "hello.max_frame", id);
  if (max_frame < 1 || max_frame > MAX_LINE) return refuse(`hello.max_frame must be from 1 to ${MAX_LINE}`, id);
  if (own(hello, "mode") !== "enforce") return refuse("hello.mode must be enforce", id);
  return Object.freeze({
    daemon: nonEmptyString(own(hello, "daemon"), "hello.daemon", maxNameBytes, id),
    features: parseAgreed(own(hello, "features"), "hello.features", id),
    max_frame,
    mode: "enforce",
    rules: nonEmptyString(own(hello, "rules"), "hello.rules", maxNameBytes, id),
    rules_version: wholeNumber(own(hello, "rules_version"), "hello.rules_version", id),
  });
};

export const parseHealthAnswer = (json: JsonValue | undefined, id: string): HealthAnswer => {
  const health = objectField(json, "health", id);
  onlyKeys(health, ["receipts", "reload", "rules", "rules_version", "status", "uptime_s"], "health", id);
  const status = own(health, "status");
  if (status !== "serving" && status !== "draining" && status !== "disabled" && status !== "stopped") {
    return refuse("health.status must be one of disabled, draining, serving, stopped", id);
  }
  const uptime_s = own(health, "uptime_s");
  if (typeof uptime_s !== "number" || uptime_s < 0) return refuse("health.uptime_s must be a number of seconds", id);
  return Object.freeze({
    status,
    rules: nonEmptyString(own(health, "rules"), "health.rules", maxNameBytes, id),
    rules_version: wholeNumber(own(health, "rules_version"), "health.rules_version", id),
    receipts: wholeNumber(own(health, "receipts"), "health.receipts", id),
    uptime_s,
    reload: parseReload(own(health, "reload"), id),
  });
};

const parseReload = (json: JsonValue | undefined, id: string): HealthAnswer["reload"] => {
  const reload = objectField(json, "health.reload", id);
  onlyKeys(reload, ["count", "message", "ok"], "health.reload", id);
  const ok = own(reload, "ok");
  const message = own(reload, "message");
  if (typeof ok !== "boolean") return refuse("health.reload.ok must be true or false", id);
  if (typeof message !== "string") return refuse("health.reload.message must be a string", id);
  return Object.freeze({ count: wholeNumber(own(reload, "count"), "health.reload.count", id), ok, message });
};
