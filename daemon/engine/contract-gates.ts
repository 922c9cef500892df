import type { FactCheck } from "../contracts/contract.ts";
import { nothingSaid } from "../contracts/none.ts";
import type { ApprovalNeed, LimitUse, PolicyCall, PolicyFinding } from "../contracts/policy.ts";
import { contractDenial, evidenceGate, factDenial, resolverThrew } from "../gates/evidence.ts";
import { policyGate } from "../gates/policy.ts";
import { scopeGate } from "../gates/scope.ts";
import type { Scopes } from "../scopes/scopes.ts";
import type { CallInJudgement } from "./call-in-judgement.ts";
import { expired } from "./deadline.ts";
import { type Denial, noSignedData } from "./judgement.ts";
import type { IndexedContract, RuleIndex } from "./rule-index.ts";
import type { Trace } from "./trace.ts";
import { claimOf } from "./transaction-keys.ts";
import type { TransactionState } from "./transaction-state.ts";
import { type Watches, watchedLater, watchedNow } from "./watched.ts";

export interface ContractGatesState extends Watches {
  readonly index: RuleIndex;
  readonly suspended: ReadonlySet<string>;
  readonly transactions: TransactionState;
  readonly scopes: Scopes | null;
}

/**
 * The gates between identity and the rules, for a call that has a contract or that a policy or a scope document is about:
 * idempotency, evidence, scope, policy, behind the quarantine gate. Each pass judges the arguments as they are by then; what the contract reads is what
 * everything after sees.
 */
export class ContractGates {
  readonly #call: CallInJudgement;
  readonly #state: ContractGatesState;
  readonly #trace: Trace;
  readonly #indexed: IndexedContract | null;
  /** The sets whose policies were looked at (rule-index.ts). */
  policySets: readonly string[] = noSignedData.policies;
  /** The scope document that was looked at. */
  scope: string | null = noSignedData.scope;
  /** The contract looked, and is satisfied. Policies only narrow: one about every tool makes none of them known. */
  allowed = false;
  needs: readonly ApprovalNeed[] = [];
  limits: readonly LimitUse[] = [];

  constructor(call: CallInJudgement, indexed: IndexedContract | null, state: ContractGatesState, trace: Trace) {
    this.#call = call;
    this.#indexed = indexed;
    this.#state = state;
    this.#trace = trace;
  }

  /** Null where nothing denied. Answers at once where nothing has to be asked elsewhere. */
  pass(isFirst: boolean): Denial | null | Promise<Denial | null> {
    this.allowed = false;
    // A call of no server's tool: nobody looked.
    if (isFirst && this.#call.question.surface === null) this.#trace.gate("quarantine", "SKIP");
    const started_ms = performance.now();
    const denial = this.#parse();
    const parsed_ms = performance.now() - started_ms;
    const looked = denial === null && isFirst ? this.#look() : null;
    if (looked instanceof Promise) return looked.then(() => this.#evidence(denial, parsed_ms));
    return this.#evidence(denial, parsed_ms);
  }

  /** Reads the arguments by the contract, for idempotency to know the call by; evidence tells what came of it. */
  #parse(): Denial | null {
    if (this.#indexed === null) return null;
    const { contract, number, id } = this.#indexed;
    if (this.#state.suspended.has(id)) {
      return contractDenial("rule_suspended", `the contract of ${contract.name} is suspended: it overran too often`);
    }
    const { watch } = this.#state;
    const began_ms = watch.coarseNow_ms();
    const evidence = watchedNow(this.#state, number, () => evidenceGate(contract, this.#call.event.args));
    if (watch.coarseNow_ms() - began_ms > contract.deadline_ms) return this.#overran();
    if (evidence.answer === "DENY") return evidence.denial;
    this.#call.adopt(evidence.args);
    return null;
  }

  /** A look only. What it finds is found again, and decided, when everything else is satisfied. */
  #look(): void | Promise<void> {
    const claim = this.#indexed === null ? null : claimOf(this.#indexed.contract, this.#call.event, this.#state);
    if (claim === null) {
      this.#trace.gate("idempotency", "SKIP");
      return;
    }
    const began_ms = performance.now();
    const found = this.#state.transactions.look(claim.key, this.#call.question.now_ms);
    const tell = (prior: Awaited<typeof found>): void =>
      this.#trace.timedGate("idempotency", prior === null ? "ALLOW" : "SKIP", performance.now() - began_ms);
    if (found instanceof Promise) return found.then(tell);
    tell(found);
  }

  #evidence(denial: Denial | null, parsed_ms: number): Denial | null | Promise<Denial | null> {
    if (this.#indexed === null) {
      this.#trace.gate("evidence", "SKIP");
      return this.#narrowed();
    }
    if (denial !== null) return this.#denied("evidence", denial, parsed_ms);
    const { check, deadline_ms } = this.#indexed.contract;
    if (check === null) return this.#evident(parsed_ms);
    const { event, question } = this.#call;
    const began_ms = performance.now();
    return watchedLater(this.#state, this.#indexed.number, deadline_ms, question.stamp, () =>
      check(event.args, question.now_ms),
    ).then(
      (checked) => this.#checked(checked, parsed_ms + performance.now() - began_ms),
      (error: unknown) =>
        this.#denied("evidence", resolverThrew({ name: event.action }, error), performance.now() - began_ms),
    );
  }

  #checked(checked: FactCheck | typeof expired, took_ms: number): Denial | null | Promise<Denial | null> {
    if (checked === expired) return this.#denied("evidence", this.#overran(), took_ms);
    for (const seen of checked.seen) this.#trace.fact(seen);
    const denial = factDenial(checked);
    return denial === null ? this.#evident(took_ms) : this.#denied("evidence", denial, took_ms);
  }

  #evident(took_ms: number): Denial | null | Promise<Denial | null> {
    this.allowed = true;
    this.#trace.timedGate("evidence", "ALLOW", took_ms);
    return this.#narrowed();
  }

  #narrowed(): Denial | null {
    this.needs = [];
    this.limits = [];
    const { action, args, principal, parent_principal } = this.#call.event;
    const { now_ms, identity } = this.#call.question;
    const effect = this.#indexed?.contract.effect ?? null;
    const call = { action, args, principal, identity, parent_principal, effect, now_ms };
    return this.#scope(call) ?? this.#policy(call);
  }

  #scope(call: PolicyCall): Denial | null {
    const { scopes } = this.#state;
    if (scopes === null) return null;
    this.scope = scopes.name;
    const began_ms = performance.now();
    const { denial, finding } = scopeGate(scopes, call);
    for (const [id, answer] of finding.said) this.#trace.scope(id, answer);
    const took_ms = performance.now() - began_ms;
    if (denial !== null) return this.#denied("scope", denial, took_ms);
    this.#take(finding);
    this.#trace.timedGate("scope", finding.answer, took_ms);
    return null;
  }

  #policy(call: PolicyCall): Denial | null {
    const { loaded, policySets } = this.#state.index;
    const began_ms = performance.now();
    const finding = policyGate(loaded.policies, call);
    if (finding === nothingSaid) {
      this.#trace.gate("policy", "SKIP");
      return null;
    }
    this.policySets = policySets;
    for (const [id, answer] of finding.said) this.#trace.policy(id, answer);
    const took_ms = performance.now() - began_ms;
    if (finding.denial !== null) return this.#denied("policy", { code: "policy_denied", ...finding.denial }, took_ms);
    this.#take(finding);
    this.#trace.timedGate("policy", finding.answer, took_ms);
    return null;
  }

  #take({ needs, limits }: PolicyFinding): void {
    if (needs.length > 0) this.needs = [...this.needs, ...needs];
    if (limits.length > 0) this.limits = [...this.limits, ...limits];
  }

  #overran(): Denial {
    const { contract } = this.#indexed as IndexedContract;
    const what = `the contract of ${contract.name} ran past its deadline of ${contract.deadline_ms} ms`;
    return contractDenial("evidence_threw", what);
  }

  #denied(gate: string, denial: Denial, took_ms: number): Denial {
    this.#trace.timedGate(gate, "DENY", took_ms);
    return denial;
  }
}
