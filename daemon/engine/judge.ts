import type { WireObject, WireValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import { approvalGate } from "../gates/approval.ts";
import { identityGate } from "../gates/identity.ts";
import { quarantineGate } from "../gates/quarantine.ts";
import { RulesGate, type RulesGateState } from "../gates/rules.ts";
import type { Scopes } from "../scopes/scopes.ts";
import { isSendable } from "./args-json.ts";
import { CallInJudgement } from "./call-in-judgement.ts";
import { ContractGates } from "./contract-gates.ts";
import { denialBy, said } from "./denial.ts";
import {
  type Denial,
  type Escalation,
  type Granted,
  type Judgement,
  noSignedData,
  noTransaction,
  type Question,
} from "./judgement.ts";
import { attributionOf, reasonLine } from "./reason.ts";
import { mergeToReach } from "./rewrite.ts";
import type { IndexedContract, IndexedRule, Matches, RuleIndex } from "./rule-index.ts";
import { Trace } from "./trace.ts";
import { planFor, refusedPlan } from "./transaction-plan.ts";
import type { TransactionState } from "./transaction-state.ts";
import { type UnknownSetting, unknownVerdict } from "./unknown.ts";

/** What the engine is given to judge by. One question is judged by one of these from start to end. */
export interface EngineState extends RulesGateState {
  readonly index: RuleIndex;
  readonly unknown: UnknownSetting;
  readonly transactions: TransactionState;
  /** The scope document in force; null where none is configured. */
  readonly scopes: Scopes | null;
}

/** Rewrites must stop changing the call by the third pass. */
const maxPasses = 3;

/**
 * May this call run now? The gates answer in order and the first DENY ends it, so a blocked call has one cause.
 * Rewrites compose: each later rule sees the rewritten call, and after the last one everything judges again, until a
 * pass changes nothing. Only what that settled pass asked for is escalated, because it is what will run.
 *
 * Answers at once where every rule does; a promise only where a matching rule is asynchronous.
 */
export const judge = (question: Question, state: EngineState): Judgement | Promise<Judgement> =>
  new Judging(question, state).run();

class Judging {
  readonly #question: Question;
  readonly #state: EngineState;
  readonly #matches: Matches;
  readonly #call: CallInJudgement;
  readonly #trace = new Trace();
  readonly #rules: RulesGate;
  readonly #indexed: IndexedContract | null;
  /** Null for a result, and for a call that no contract, no policy and no scope document is about. */
  readonly #gates: ContractGates | null;
  /** The approved surface that the call was held against. */
  #surface = noSignedData.surface;

  constructor(question: Question, state: EngineState) {
    const { event } = question;
    this.#question = question;
    this.#state = state;
    this.#matches = state.index.match(event.phase, event.action);
    this.#call = new CallInJudgement(question);
    this.#rules = new RulesGate(this.#call, this.#matches, state, this.#trace);
    const isCall = event.phase === "call";
    this.#indexed = isCall ? (state.index.contracts.get(event.action) ?? null) : null;
    // A scope document is about every call.
    const isCovered =
      this.#indexed !== null || (isCall && (state.scopes !== null || state.index.loaded.policies.covers(event.action)));
    this.#gates = isCovered ? new ContractGates(this.#call, this.#indexed, state, this.#trace) : null;
  }

  run(): Judgement | Promise<Judgement> {
    this.#trace.gate("identity", identityGate(this.#question.source));
    const { event, now_ms, surface } = this.#question;
    if (surface !== null) {
      const { answer, denial, surface: approved } = quarantineGate(surface, event, now_ms);
      this.#surface = approved;
      if (denial !== null) return this.#denied("quarantine", denial);
      this.#trace.gate("quarantine", answer);
    }
    return this.#passesFrom(1);
  }

  #passesFrom(first: number): Judgement | Promise<Judgement> {
    for (let pass = first; ; pass++) {
      this.#call.beginPass();
      if (pass > 1) this.#trace.pass(pass);
      const end = this.#gates === null ? this.#rulesPass(pass) : this.#gatesPass(this.#gates, pass);
      if (end instanceof Promise) return end.then((ended) => ended ?? this.#passesFrom(pass + 1));
      if (end !== null) return end;
    }
  }

  #gatesPass(gates: ContractGates, pass: number): Judgement | null | Promise<Judgement | null> {
    const denial = gates.pass(pass === 1);
    if (denial instanceof Promise) return denial.then((later) => this.#afterGates(pass, later));
    return this.#afterGates(pass, denial);
  }

  #afterGates(pass: number, denial: Denial | null): Judgement | null | Promise<Judgement | null> {
    return denial === null ? this.#rulesPass(pass) : this.#refused(denial);
  }

  #rulesPass(pass: number): Judgement | null | Promise<Judgement | null> {
    this.#trace.begin(this.#matches);
    const denial = this.#rules.pass();
    if (denial instanceof Promise) return denial.then((later) => this.#endOf(pass, later));
    return this.#endOf(pass, denial);
  }

  /** A pass that changed the call is followed by another over the changed call (null); a settled one ends the matter. */
  #endOf(pass: number, denial: Denial | null): Judgement | null {
    if (denial !== null) return this.#denied("rules", denial);
    if (!this.#call.changed) return this.#conclude();
    if (pass < maxPasses) return null;
    const by = this.#call.lastRewrite?.by as IndexedRule;
    return this.#denied("rules", denialBy(by, "rewrite_unsettled", "still changes the call in the third pass"));
  }

  #conclude(): Judgement {
    const { event, escalations, allowed, lastRewrite } = this.#call;
    const spoke = allowed || lastRewrite !== null;
    this.#trace.gate("rules", escalations.length > 0 ? "REQUIRE_APPROVAL" : spoke ? "ALLOW" : "SKIP");
    const unseen = this.#unseen();
    if (unseen !== null) return this.#refused(unseen);
    const asked = this.#asked();
    const approval = approvalGate(event.phase, asked);
    if (approval.answer === "DENY") return this.#denied("approval", approval.denial);
    this.#trace.gate("approval", approval.answer);
    const granted = this.#granted();
    if (approval.answer !== "REQUIRE_APPROVAL") return this.#end(granted, granted);
    const { reason, policyId, attributedTo, by } = approval.escalation;
    const code = by === "operator" ? "escalated_operator" : "escalated";
    return this.#end(
      { verdict: Verdict.ESCALATE, code, reason, policy_id: policyId, attributed_to: attributedTo },
      granted,
    );
  }

  /** Does it do what its tool never did? Asked last, of what will run or be delivered. */
  #unseen(): Denial | null {
    const { behaviour } = this.#question;
    if (behaviour === null) return null;
    const { denial, said: told } = behaviour.watch(this.#call.event.args);
    for (const [name, answer] of told) this.#trace.watched(name, answer);
    return denial;
  }

  /** What policies and rules asked a human for. */
  #asked(): readonly Escalation[] {
    const needs = this.#gates?.needs ?? [];
    return needs.length === 0 ? this.#call.escalations : [...needs, ...this.#call.escalations];
  }

  /** What the call gets where nobody's yes is missing. */
  #granted(): Granted {
    const { event, allowed, lastRewrite, filledIn } = this.#call;
    if (lastRewrite !== null) {
      const { reason, policyId, attributedTo } = said(lastRewrite.by, lastRewrite.answer);
      return { verdict: Verdict.MODIFY, code: "rewritten", reason, policy_id: policyId, attributed_to: attributedTo };
    }
    if (filledIn) return filledInByContract;
    // A contract is a gate that looked; so is a person who said yes. A limit or a threshold alone makes no tool known.
    const isKnown = allowed || this.#gates?.allowed === true || this.#asked().length > 0;
    if (isKnown || event.phase === "result") {
      const code = isKnown ? "allowed" : "unknown_allowed";
      return { verdict: Verdict.ALLOW, code, reason: "", policy_id: null, attributed_to: null };
    }
    const { verdict, code, reason } = unknownVerdict[this.#state.unknown];
    return { verdict, code, reason, policy_id: null, attributed_to: null };
  }

  /** A gate before the rules said no, and has told the trace. */
  #refused(denial: Denial): Judgement {
    const { code, reason, policyId, attributedTo, errors = noTransaction.errors } = denial;
    const blocked = { verdict: Verdict.BLOCK, code, reason, policy_id: policyId, attributed_to: attributedTo };
    const plan = refusedPlan(this.#found(), code, this.#state);
    const transaction = plan === null ? null : { plan, granted: blocked, wait_ms: 0 };
    return this.#seal(blocked, null, null, { errors, transaction });
  }

  #denied(gate: string, denial: Denial): Judgement {
    this.#trace.gate(gate, "DENY");
    return this.#refused(denial);
  }

  #found() {
    return { call: this.#call, indexed: this.#indexed, gates: this.#gates, escalations: this.#call.escalations };
  }

  /** A verdict that lets the call go on, with the rewrite in the form that this client can apply. */
  #end(answer: Granted, granted: Granted): Judgement {
    const { lastRewrite, filledIn, event, result } = this.#call;
    const transaction = this.#transaction(answer, granted);
    // What was approved is sent back to run: what cannot be, nobody is asked about.
    if (transaction?.plan.kind === "ask" && !isSendable(event.args)) return this.#denied("approval", unsendable);
    const { errors } = noTransaction;
    if (lastRewrite === null && !filledIn) return this.#seal(answer, null, null, { errors, transaction });
    if (event.phase === "result") return this.#seal(answer, null, result, { errors, transaction });
    const { canReplaceArgs } = this.#question;
    const sent = canReplaceArgs ? event.args : mergeToReach(this.#question.event.args, event.args);
    if (sent !== null) return this.#seal(answer, sent, null, { errors, transaction });
    const cannot = "removes an argument, which this client cannot apply";
    return this.#denied("rules", denialBy(lastRewrite?.by as IndexedRule, "rewrite_removes_key", cannot));
  }

  #transaction(answer: Granted, granted: Granted): Judgement["transaction"] {
    if (this.#call.event.phase === "result" || answer.verdict === Verdict.BLOCK) return null;
    if (this.#gates === null && answer.code !== "escalated_operator" && this.#question.resume === null) return null;
    const plan = planFor(this.#found(), this.#state);
    if (plan === null) return null;
    const wait_ms = this.#indexed?.contract.idempotency.wait_ms ?? 0;
    // A limit alone makes a transaction of a call about which a rule asks the client: taking the limit is nobody's yes.
    const isAnswered = plan.kind === "ask" || this.#question.resume !== null;
    return { plan, granted: isAnswered ? granted : answer, wait_ms };
  }

  #seal(
    { verdict, code, reason, policy_id, attributed_to }: Granted,
    modified_args: WireObject | null,
    modified_result: WireValue,
    more: Pick<Judgement, "errors" | "transaction">,
  ): Judgement {
    const { args } = this.#question.event;
    return Object.freeze({
      verdict,
      code,
      reason: reasonLine(reason, args),
      policy_id,
      attributed_to: attributionOf(attributed_to, args),
      modified_args,
      modified_result,
      traceJson: this.#trace.toJson(),
      contract: this.#indexed?.name ?? noSignedData.contract,
      policies: this.#gates?.policySets ?? noSignedData.policies,
      scope: this.#gates?.scope ?? noSignedData.scope,
      surface: this.#surface,
      errors: more.errors,
      transaction: more.transaction,
    });
  }
}

const unsendable: Denial = Object.freeze({
  code: "evidence_failed",
  reason: "an argument is a number that cannot be sent back exactly, so that nobody can approve the call",
  policyId: null,
  attributedTo: null,
});

const filledInByContract: Granted = Object.freeze({
  verdict: Verdict.MODIFY,
  code: "rewritten",
  reason: "the contract filled in what was left out",
  policy_id: null,
  attributed_to: null,
});
