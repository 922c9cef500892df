import { canonical } from "../../wire/canonical.ts";
import type { ApprovalNeed, ApprovalScope, LimitUse } from "../contracts/policy.ts";
import { heldSince as isHeldSince } from "../gates/quarantine.ts";
import type { Intent, Plan, Reservation, ShapeKey } from "../transactions/plan.ts";
import { argsJson } from "./args-json.ts";
import type { CallInJudgement } from "./call-in-judgement.ts";
import type { ContractGates } from "./contract-gates.ts";
import type { Escalation } from "./judgement.ts";
import type { ReasonCode } from "./reason-codes.ts";
import type { IndexedContract } from "./rule-index.ts";
import { claimOf, fingerprintOf, type KeysState, shapeKeyOf } from "./transaction-keys.ts";
import type { TransactionKeys } from "./transaction-state.ts";

/** How long a call that has no contract may be under way. */
const defaultLease_ms = 300_000;
/** How long what a rule asks for stays open. */
const ruleApproval_ms = 3_600_000;

/** What the gates and rules found, once nothing denied. */
export interface Found {
  readonly call: CallInJudgement;
  readonly indexed: IndexedContract | null;
  readonly gates: ContractGates | null;
  readonly escalations: readonly Escalation[];
}

/**
 * What has to be settled with the receipt: null for a call that has no contract, no limit, and needs nobody's yes but its
 * client's.
 */
export const planFor = (found: Found, state: KeysState): Plan | null => {
  const { call, indexed, gates, escalations } = found;
  const { resume } = call.question;
  const needs = needsOf(gates?.needs ?? [], escalations);
  const isAsked = needs.some(({ by }) => by === "operator") || (indexed !== null && needs.length > 0);
  const isTransactional = indexed !== null || (gates?.limits.length ?? 0) > 0 || isAsked || resume !== null;
  if (!isTransactional) return null;
  const intent = intentOf(found, state);
  if (!isAsked) return { kind: "authorize", intent, resume };
  // An operator's yes is the stricter one: where it is needed, the client's adds nothing.
  const operators = needs.filter(({ by }) => by === "operator");
  const asked = operators.length > 0 ? operators : needs;
  const { action, args, principal, parent_principal } = call.event;
  // What nobody is shown goes with it: rules that are loaded later do not bring it into view.
  const redact = [...(indexed?.contract.redact ?? [])];
  const named = call.question.surface?.named;
  // What runs once it is approved is held against the same server.
  const server = named === undefined ? {} : { server: { credential: named.credential, server: named.server } };
  const shown = canonical({ action, args: argsJson(args), parent_principal, principal, redact, ...server });
  return { kind: "ask", intent, needs: asked, shapes: shapesOf(asked, call, state), resume, shown };
};

/** A denied call of a tool that has a contract is a transaction too: it is `blocked`. */
export const refusedPlan = (found: Found, code: ReasonCode, state: KeysState): Plan | null =>
  found.indexed === null ? null : { kind: "refuse", intent: intentOf(found, state), code };

const intentOf = ({ call, indexed, gates }: Found, state: KeysState): Intent => {
  const { event, question } = call;
  const { keys, newTransactionId } = state.transactions;
  const contract = indexed?.contract ?? null;
  const claim = contract === null ? null : claimOf(contract, event, state);
  const { surface } = question;
  const heldSince = surface === null ? {} : { heldSince: () => isHeldSince(surface, question.event) };
  return {
    transaction_id: newTransactionId(),
    call_id: question.event.call_id,
    action: event.action,
    principal: event.principal,
    parent_principal: event.parent_principal,
    effect: contract?.effect ?? "write",
    now_ms: question.now_ms,
    lease_ms: contract?.lease_ms ?? defaultLease_ms,
    fingerprint: fingerprintOf(event, state),
    claim: claim === null ? null : { ...claim, window_ms: contract?.idempotency.window_ms ?? 0 },
    limits: (gates?.limits ?? []).map((use) => reservationOf(use, keys)),
    rules: state.index.loaded.digest,
    resumed_from: null,
    ...heldSince,
  };
};

/** No value of an argument is in a row: a limit's counter and what it counts once are keyed hashes. */
const reservationOf = ({ distinct, ...use }: LimitUse, keys: TransactionKeys): Reservation => {
  const counter = keys.counter([...use.counter]);
  const members = distinct === null ? null : [...new Set(distinct.map((value) => keys.member([counter, value])))];
  return { ...use, counter, members };
};

const once: readonly ApprovalScope[] = Object.freeze([Object.freeze({ kind: "once" })]);

const needsOf = (policyNeeds: readonly ApprovalNeed[], escalations: readonly Escalation[]): readonly ApprovalNeed[] =>
  escalations.length === 0
    ? policyNeeds
    : [
        ...policyNeeds,
        ...escalations.map(({ reason, policyId, attributedTo, by }) => ({
          policyId,
          reason,
          attributedTo,
          by,
          roles: [],
          count: 1,
          expires_ms: ruleApproval_ms,
          scopes: once,
        })),
      ];

const shapesOf = (needs: readonly ApprovalNeed[], call: CallInJudgement, state: KeysState): readonly ShapeKey[] => {
  const shapes: ShapeKey[] = [];
  for (const { scopes } of needs) {
    for (const scope of scopes) {
      if (scope.kind !== "shape") continue;
      const { paths } = scope;
      shapes.push({ paths, key: shapeKeyOf(paths, call.event, state) });
    }
  }
  return shapes;
};
