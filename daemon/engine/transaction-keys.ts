import { type ArgumentPath, argumentPath, readPath } from "../../rules/contracts/argument-path.ts";
import type { RuleEvent } from "../../rules/types.ts";
import type { JsonValue } from "../../wire/value.ts";
import type { ToolContract } from "../contracts/contract.ts";
import { argsJson } from "./args-json.ts";
import type { RuleIndex } from "./rule-index.ts";
import type { TransactionState } from "./transaction-state.ts";

export interface KeysState {
  readonly index: RuleIndex;
  readonly transactions: TransactionState;
}

/** Paths are those of signed contracts and policies: few, and parsed once. */
const parsedPaths = new Map<string, ArgumentPath>();

const pathOf = (text: string): ArgumentPath => {
  const path = parsedPaths.get(text) ?? argumentPath(text, "a contract's path");
  parsedPaths.set(text, path);
  return path;
};

/** All that stands at a path; what is not there differs from a null. */
const named = ({ args }: RuleEvent, text: string): JsonValue => [
  text,
  ...readPath(args, pathOf(text)).map((found): JsonValue => (found.kind === "value" ? [argsJson(found.value)] : [])),
];

const isThere = ({ args }: RuleEvent, text: string): boolean =>
  readPath(args, pathOf(text)).some(({ kind }) => kind === "value");

/** The exact call: who, what, and all final arguments. */
export const fingerprintOf = (event: RuleEvent, { transactions }: KeysState): string => {
  const known = fingerprints.get(event);
  if (known !== undefined) return known;
  const { action, args, principal } = event;
  const fingerprint = transactions.keys.fingerprint({ action, args: argsJson(args), principal });
  fingerprints.set(event, fingerprint);
  return fingerprint;
};

/** An event is one call as it is by then, and is frozen: it is hashed once, however often it is asked for. */
const fingerprints = new WeakMap<RuleEvent, string>();

/**
 * What makes two calls of a tool the same call. A caller's key that is not there names nothing: then all arguments do.
 * A principal that the signed data gives no tenant is a tenant of its own, so that a missing entry never shares results.
 */
export const claimOf = (contract: ToolContract, event: RuleEvent, state: KeysState): CallClaim | null => {
  if (contract.idempotency.by === "off") return null;
  const known = claims.get(event);
  if (known !== undefined) return known;
  const claim = hashedClaim(contract, event, state);
  claims.set(event, claim);
  return claim;
};

export interface CallClaim {
  readonly key: string;
  readonly content: string;
}

const claims = new WeakMap<RuleEvent, CallClaim>();

const hashedClaim = (contract: ToolContract, event: RuleEvent, state: KeysState): CallClaim => {
  const { by, paths, scope } = contract.idempotency;
  const { action, args } = event;
  const hash = state.transactions.keys.claim;
  const within = withinOf(scope, event, state);
  const isNamed = by === "fields" || (by === "key" && paths.every((path) => isThere(event, path)));
  // The exact call of this principal: that is its fingerprint.
  if (!isNamed && scope === "principal") {
    const key = fingerprintOf(event, state);
    return { key, content: key };
  }
  if (!isNamed) {
    const key = hash({ action, by: "arguments", what: argsJson(args), within });
    return { key, content: key };
  }
  const key = hash({ action, by, what: paths.map((path) => named(event, path)), within });
  return { key, content: by === "key" ? hash({ action, by: "content", what: argsJson(args), within }) : key };
};

const withinOf = (
  scope: ToolContract["idempotency"]["scope"],
  { principal }: RuleEvent,
  { index }: KeysState,
): JsonValue => {
  if (scope === "global") return [];
  const tenant = scope === "tenant" ? index.loaded.policies.principal(principal).tenant : null;
  return tenant === null ? ["principal", principal] : ["tenant", tenant];
};

/** Any call of this tool by this principal whose named arguments are equal. */
export const shapeKeyOf = (paths: readonly string[], event: RuleEvent, { transactions }: KeysState): string =>
  transactions.keys.shape({
    action: event.action,
    principal: event.principal,
    what: paths.map((path) => named(event, path)),
  });
