import { nonEmptyString, objectField, onlyKeys, own, refuse, stringOrNull, wholeNumber } from "../../wire/fields.ts";
import { isSha256 } from "../../wire/sha256-name.ts";
import { parseNamedServer } from "../../wire/surface-body.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import { reasonIn } from "../stops/reason.ts";
import { maxItemUriBytes } from "../surfaces/limits.ts";
import {
  cleanups,
  isObservedOutcome,
  type Observation,
  type ProbeKind,
  readbackPhases,
} from "../surfaces/probes/probe.ts";
import type { ServerKey } from "../surfaces/surface.ts";
import { isProbeId } from "../transactions/ids.ts";
import { maxNoteBytes } from "./limits.ts";
import type { ProbeEnd, ProbePlan, ProbeService } from "./probe-service.ts";
import type { Operator } from "./register.ts";

/** What an operator may ask for of probes. */
export type ProbeAsk =
  | { readonly kind: "probes.begin"; readonly plan: ProbePlan }
  | { readonly kind: "probes.end"; readonly end: ProbeEnd }
  | { readonly kind: "probes.list"; readonly server: ServerKey };

/** `with` of each, with exactly its keys. Throws `bad_request`. */
export const probeAsks: Readonly<Record<ProbeAsk["kind"], (body: JsonObject, id: string) => ProbeAsk>> = Object.freeze({
  "probes.begin": (body: JsonObject, id: string): ProbeAsk => {
    onlyKeys(body, ["argument_hash", "expected", "kind", "safety_note", "server", "tool"], "with", id);
    const argument_hash = own(body, "argument_hash");
    if (!isSha256(argument_hash)) return refuse("with.argument_hash must be sha256: and 64 hex digits", id);
    const plan = {
      server: serverIn(body, id),
      tool: nonEmptyString(own(body, "tool"), "with.tool", maxItemUriBytes, id),
      probe: kindIn(body, id),
      argument_hash,
      safety_note: reasonIn(stringOrNull(own(body, "safety_note"), "with.safety_note", maxNoteBytes, id) ?? ""),
    };
    return { kind: "probes.begin", plan };
  },
  "probes.end": (body: JsonObject, id: string): ProbeAsk => {
    onlyKeys(body, ["cleanup", "observed", "probe_id"], "with", id);
    const probe_id = own(body, "probe_id");
    if (typeof probe_id !== "string" || !isProbeId(probe_id)) return refuse("no probe has such an id", id);
    const cleanup = one(cleanups, own(body, "cleanup"), "with.cleanup", id);
    const observed = observedIn(objectField(own(body, "observed"), "with.observed", id), id);
    return { kind: "probes.end", end: { probe_id, observed, cleanup } };
  },
  "probes.list": (body: JsonObject, id: string): ProbeAsk => {
    onlyKeys(body, ["server"], "with", id);
    return { kind: "probes.list", server: serverIn(body, id) };
  },
});

/** What the operators' socket answers about probes. Throws OperatorRefused. */
export const answerProbes = async (service: ProbeService, operator: Operator, ask: ProbeAsk): Promise<object> => {
  switch (ask.kind) {
    case "probes.begin":
      return service.begin(operator, ask.plan);
    case "probes.end":
      return { probe: await service.end(operator, ask.end) };
    case "probes.list":
      return { probes: await service.list(ask.server) };
  }
};

const serverIn = (body: JsonObject, id: string): ServerKey => {
  const server = objectField(own(body, "server"), "with.server", id);
  onlyKeys(server, ["credential", "server"], "with.server", id);
  return parseNamedServer(server, "with.server", id);
};

const kindIn = (body: JsonObject, id: string): ProbeKind => {
  const kind = one(["permission", "readback"] as const, own(body, "kind"), "with.kind", id);
  const expected = own(body, "expected");
  return kind === "permission"
    ? { kind, expected: one(["allowed", "denied"] as const, expected, "with.expected", id) }
    : { kind, expected: one(["no_change", "change_allowed"] as const, expected, "with.expected", id) };
};

const observedIn = (observed: JsonObject, id: string): Observation => {
  const kind = one(["permission", "readback"] as const, own(observed, "kind"), "with.observed.kind", id);
  const error_class = classIn(own(observed, "error_class"), id);
  if (kind === "permission") {
    onlyKeys(observed, ["error_class", "kind", "outcome"], "with.observed", id);
    const outcome = own(observed, "outcome");
    return isObservedOutcome(outcome)
      ? { kind, outcome, error_class }
      : refuse("with.observed.outcome is none that can be observed", id);
  }
  const keys = ["after", "before", "changed", "claims_no_effect", "error_class", "failed_at", "kind"];
  onlyKeys(observed, keys, "with.observed", id);
  const failed = own(observed, "failed_at");
  const claims = own(observed, "claims_no_effect");
  if (typeof claims !== "boolean") return refuse("with.observed.claims_no_effect must be true or false", id);
  return {
    kind,
    failed_at: failed === null ? null : one(readbackPhases, failed, "with.observed.failed_at", id),
    error_class,
    changed: wholeNumber(own(observed, "changed"), "with.observed.changed", id),
    claims_no_effect: claims,
    before: hashOrNull(own(observed, "before"), id),
    after: hashOrNull(own(observed, "after"), id),
  };
};

/** Of our own making: letters, digits and underscores. */
const classIn = (value: JsonValue | undefined, id: string): string | null => {
  if (value === null) return null;
  return typeof value === "string" && /^[a-z0-9_]{1,40}$/.test(value)
    ? value
    : refuse("with.observed.error_class must be a word, or null", id);
};

const hashOrNull = (value: JsonValue | undefined, id: string): string | null =>
  value === null || isSha256(value) ? value : refuse("with.observed: a hash is sha256: and 64 hex digits, or null", id);

const one = <T extends string>(of: readonly T[], value: JsonValue | undefined, where: string, id: string): T =>
  of.find((known) => known === value) ?? refuse(`${where} must be one of ${of.join(", ")}`, id);
