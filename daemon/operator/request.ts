import { WireError } from "../../wire/errors.ts";
import { nonEmptyString, objectField, onlyKeys, own, refuse, stringOrNull, wholeNumber } from "../../wire/fields.ts";
import { assertVersion, decodeLine } from "../../wire/frame.ts";
import { maxRequestIdBytes, maxTokenBytes } from "../../wire/limits.ts";
import type { JsonObject, JsonValue } from "../../wire/value.ts";
import type { ApprovalScope } from "../contracts/policy.ts";
import type { PruneBound } from "../ledger/pruning/prune.ts";
import { reasonIn } from "../stops/reason.ts";
import { isApprovalId, isStopId, isTransactionId } from "../transactions/ids.ts";
import type { ApprovalStatus, TransactionStatus } from "../transactions/status.ts";
import { maxListed, maxNoteBytes } from "./limits.ts";
import { type ProbeAsk, probeAsks } from "./probe-asks.ts";
import { type SurfaceAsk, surfaceAsks } from "./surface-asks.ts";

/** What an operator may ask for. */
export type OperatorAsk =
  | ProbeAsk
  | SurfaceAsk
  | { readonly kind: "approvals.list"; readonly status: ApprovalStatus | "all"; readonly limit: number }
  | { readonly kind: "approvals.show"; readonly approval_id: string }
  | {
      readonly kind: "approvals.grant";
      readonly approval_id: string;
      readonly scope: ApprovalScope;
      /** Null: as long as the policy says. */
      readonly until_ms: number | null;
      readonly note: string | null;
    }
  | { readonly kind: "approvals.deny"; readonly approval_id: string; readonly note: string | null }
  | { readonly kind: "approvals.revoke"; readonly approval_id: string }
  | { readonly kind: "approvals.watch" }
  | { readonly kind: "receipts.prune"; readonly bound: PruneBound }
  | { readonly kind: "transactions.list"; readonly status: TransactionStatus | "all"; readonly limit: number }
  | { readonly kind: "transactions.show"; readonly transaction_id: string }
  | { readonly kind: "transactions.resolve"; readonly transaction_id: string; readonly as: "executed" | "failed" }
  | { readonly kind: "stops.list" }
  | { readonly kind: "stops.begin"; readonly reason: string }
  /** `stop_id` null: all that stand. */
  | { readonly kind: "stops.end"; readonly stop_id: string | null; readonly reason: string };

/** One frame of the operator's socket. `token` proves who asks. */
export interface OperatorRequest {
  readonly id: string;
  readonly token: string;
  readonly ask: OperatorAsk;
}

export const approvalStatuses: readonly (ApprovalStatus | "all")[] = Object.freeze([
  "pending",
  "granted",
  "denied",
  "revoked",
  "expired",
  "used",
  "all",
] as const);

export const transactionStatuses: readonly (TransactionStatus | "all")[] = Object.freeze([
  "blocked",
  "pending_approval",
  "authorized",
  "executed",
  "failed",
  "unknown",
  "all",
] as const);

/**
 * `{ask, id, token, v, with}`: strict JSON, exactly these keys, `with` exactly those of what is asked. Throws WireError with
 * `bad_request` or `bad_version` and the id, where it was read. No message holds a value.
 */
export const parseOperatorRequest = (line: Uint8Array): OperatorRequest => {
  const frame = decodeLine(line);
  assertVersion(own(frame, "v"));
  const id = nonEmptyString(own(frame, "id"), "id", maxRequestIdBytes, "");
  onlyKeys(frame, ["ask", "id", "token", "v", "with"], "frame", id);
  const token = nonEmptyString(own(frame, "token"), "token", maxTokenBytes, id);
  const ask = own(frame, "ask");
  const body = objectField(own(frame, "with"), "with", id);
  const parse = typeof ask === "string" && Object.hasOwn(asks, ask) ? asks[ask as OperatorAsk["kind"]] : undefined;
  if (parse === undefined) return refuse(`ask must be one of ${Object.keys(asks).join(", ")}`, id);
  return Object.freeze({ id, token, ask: Object.freeze(parse(body, id)) });
};

const asks: Readonly<Record<OperatorAsk["kind"], (body: JsonObject, id: string) => OperatorAsk>> = Object.freeze({
  "approvals.list": (body, id) => {
    onlyKeys(body, ["limit", "status"], "with", id);
    return { kind: "approvals.list", status: oneOf(body, "status", approvalStatuses, id), limit: limitIn(body, id) };
  },
  "approvals.show": (body, id) => {
    onlyKeys(body, ["approval_id"], "with", id);
    return { kind: "approvals.show", approval_id: approvalIn(body, id) };
  },
  "approvals.grant": (body, id) => {
    onlyKeys(body, ["approval_id", "note", "scope", "until_s"], "with", id);
    const until_s = own(body, "until_s");
    return {
      kind: "approvals.grant",
      approval_id: approvalIn(body, id),
      scope: scopeIn(own(body, "scope"), id),
      until_ms: until_s === undefined || until_s === null ? null : secondsIn(until_s, id) * 1000,
      note: noteIn(body, id),
    };
  },
  "approvals.deny": (body, id) => {
    onlyKeys(body, ["approval_id", "note"], "with", id);
    return { kind: "approvals.deny", approval_id: approvalIn(body, id), note: noteIn(body, id) };
  },
  "approvals.revoke": (body, id) => {
    onlyKeys(body, ["approval_id"], "with", id);
    return { kind: "approvals.revoke", approval_id: approvalIn(body, id) };
  },
  "approvals.watch": (body, id) => {
    onlyKeys(body, [], "with", id);
    return { kind: "approvals.watch" };
  },
  "receipts.prune": (body, id) => {
    onlyKeys(body, ["before_ms", "before_seq"], "with", id);
    return { kind: "receipts.prune", bound: boundIn(body, id) };
  },
  "transactions.list": (body, id) => {
    onlyKeys(body, ["limit", "status"], "with", id);
    const status = oneOf(body, "status", transactionStatuses, id);
    return { kind: "transactions.list", status, limit: limitIn(body, id) };
  },
  "transactions.show": (body, id) => {
    onlyKeys(body, ["transaction_id"], "with", id);
    return { kind: "transactions.show", transaction_id: transactionIn(body, id) };
  },
  "transactions.resolve": (body, id) => {
    onlyKeys(body, ["as", "transaction_id"], "with", id);
    const as = oneOf(body, "as", ["executed", "failed"] as const, id);
    return { kind: "transactions.resolve", transaction_id: transactionIn(body, id), as };
  },
  "stops.list": (body, id) => {
    onlyKeys(body, [], "with", id);
    return { kind: "stops.list" };
  },
  "stops.begin": (body, id) => {
    onlyKeys(body, ["reason"], "with", id);
    return { kind: "stops.begin", reason: reasonOf(body, id) };
  },
  "stops.end": (body, id) => {
    onlyKeys(body, ["reason", "stop_id"], "with", id);
    const stop_id = own(body, "stop_id") ?? null;
    if (stop_id !== null && !(typeof stop_id === "string" && isStopId(stop_id))) {
      return refuse("no stop has such an id: st_ and 22 characters, as interlock stops tells them", id);
    }
    return { kind: "stops.end", stop_id, reason: reasonOf(body, id) };
  },
  ...probeAsks,
  ...surfaceAsks,
});

const oneOf = <T extends string>(body: JsonObject, key: string, allowed: readonly T[], id: string): T => {
  const value = own(body, key);
  const found = allowed.find((one) => one === value);
  return found ?? refuse(`with.${key} must be one of ${allowed.join(", ")}`, id);
};

const limitIn = (body: JsonObject, id: string): number => {
  const limit = wholeNumber(own(body, "limit"), "with.limit", id);
  return limit >= 1 && limit <= maxListed ? limit : refuse(`with.limit must be from 1 to ${maxListed}`, id);
};

const noteIn = (body: JsonObject, id: string): string | null =>
  stringOrNull(own(body, "note"), "with.note", maxNoteBytes, id);

/** Without one it is not known why: an empty one is written as such. */
const reasonOf = (body: JsonObject, id: string): string =>
  reasonIn(stringOrNull(own(body, "reason"), "with.reason", maxNoteBytes, id) ?? "");

const approvalIn = (body: JsonObject, id: string): string => {
  const value = own(body, "approval_id");
  if (typeof value === "string" && isApprovalId(value)) return value;
  return refuse("with.approval_id must be an approval's id, ap_ and 22 characters", id);
};

const transactionIn = (body: JsonObject, id: string): string => {
  const value = own(body, "transaction_id");
  if (typeof value === "string" && isTransactionId(value)) return value;
  return refuse("with.transaction_id must be a transaction's id, tx_ and 22 characters", id);
};

/** The year 9999: what a date can still be written as. */
const latest_s = 253_402_300_799;

const secondsIn = (json: JsonValue, id: string): number => {
  const seconds = wholeNumber(json, "with.until_s", id);
  return seconds <= latest_s ? seconds : refuse("with.until_s is too late", id);
};

/** One of the two, and the other null. */
const boundIn = (body: JsonObject, id: string): PruneBound => {
  const [seq, time_ms] = [own(body, "before_seq"), own(body, "before_ms")];
  if (time_ms === null && seq !== null) {
    return Object.freeze({ kind: "before_seq", seq: wholeNumber(seq, "with.before_seq", id) });
  }
  if (seq !== null) return refuse("one of with.before_ms and with.before_seq must be null", id);
  return Object.freeze({ kind: "before_time", time_ms: wholeNumber(time_ms, "with.before_ms", id) });
};

const maxScopePaths = 32;
const maxScopePathBytes = 1024;

const scopeIn = (json: JsonValue | undefined, id: string): ApprovalScope => {
  const scope = objectField(json, "with.scope", id);
  const kind = oneOf(scope, "kind", ["once", "exact", "shape"] as const, id);
  onlyKeys(scope, kind === "shape" ? ["kind", "paths"] : ["kind"], "with.scope", id);
  if (kind !== "shape") return Object.freeze({ kind });
  const paths = own(scope, "paths");
  if (!Array.isArray(paths) || paths.length === 0 || paths.length > maxScopePaths) {
    return refuse(`with.scope.paths must be a list of 1 to ${maxScopePaths} paths`, id);
  }
  const texts = (paths as readonly JsonValue[]).map((path) =>
    nonEmptyString(path, "with.scope.paths", maxScopePathBytes, id),
  );
  return Object.freeze({ kind, paths: Object.freeze(texts) });
};

/** The id of a line that could not be read to its end, so that the answer finds its question. */
export const idOf = (error: unknown): string => (error instanceof WireError ? error.id : "");
