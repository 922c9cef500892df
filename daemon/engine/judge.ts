import type { WireObject, WireValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import { approvalGate } from "../gates/approval.ts";
import { identityGate, type PrincipalSource } from "../gates/identity.ts";
import { RulesGate, type RulesGateState } from "../gates/rules.ts";
import { CallInJudgement } from "./call-in-judgement.ts";
import { denialBy, said } from "./denial.ts";
import type { Denial, Judgement, Question } from "./judgement.ts";
import { attributionOf, reasonLine } from "./reason.ts";
import { mergeToReach } from "./rewrite.ts";
import type { IndexedRule, Matches, RuleIndex } from "./rule-index.ts";
import { Trace } from "./trace.ts";
import { type UnknownSetting, unknownVerdict } from "./unknown.ts";

/** What the engine is given to judge by. One question is judged by one of these from start to end. */
export interface EngineState extends RulesGateState {
  readonly index: RuleIndex;
  readonly unknown: UnknownSetting;
  readonly principals: PrincipalSource;
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

  constructor(question: Question, state: EngineState) {
    const { event } = question;
    this.#question = question;
    this.#state = state;
    this.#matches = state.index.match(event.phase, event.action);
    this.#call = new CallInJudgement(question);
    this.#rules = new RulesGate(this.#call, this.#matches, state, this.#trace);
  }

  run(): Judgement | Promise<Judgement> {
    this.#trace.gate("identity", identityGate(this.#state.principals));
    return this.#passesFrom(1);
  }

  #passesFrom(first: number): Judgement | Promise<Judgement> {
    for (let pass = first; ; pass++) {
      this.#call.beginPass();
      this.#trace.pass(pass, this.#matches);
      const denial = this.#rules.pass();
      if (denial instanceof Promise) return this.#afterPass(denial, pass);
      const end = this.#endOf(pass, denial);
      if (end !== null) return end;
    }
  }

  async #afterPass(later: Promise<Denial | null>, pass: number): Promise<Judgement> {
    return this.#endOf(pass, await later) ?? this.#passesFrom(pass + 1);
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
    const approval = approvalGate(event.phase, escalations);
    if (approval.answer === "DENY") return this.#denied("approval", approval.denial);
    this.#trace.gate("approval", approval.answer);
    if (approval.answer === "REQUIRE_APPROVAL") {
      const { reason, policyId, attributedTo, by } = approval.escalation;
      const code = by === "operator" ? "escalated_operator" : "escalated";
      return this.#end(Verdict.ESCALATE, code, reason, policyId, attributedTo);
    }
    if (lastRewrite !== null) {
      const { reason, policyId, attributedTo } = said(lastRewrite.by, lastRewrite.answer);
      return this.#end(Verdict.MODIFY, "rewritten", reason, policyId, attributedTo);
    }
    if (allowed || event.phase === "result") {
      return this.#end(Verdict.ALLOW, allowed ? "allowed" : "unknown_allowed", "", null, null);
    }
    const { verdict, code, reason } = unknownVerdict[this.#state.unknown];
    return this.#end(verdict, code, reason, null, null);
  }

  #denied(gate: string, { code, reason, policyId, attributedTo }: Denial): Judgement {
    this.#trace.gate(gate, "DENY");
    return this.#seal(Verdict.BLOCK, code, reason, policyId, attributedTo, null, null);
  }

  /** A verdict that lets the call go on, with the rewrite in the form that this client can apply. */
  #end(
    verdict: Verdict,
    code: Judgement["code"],
    reason: string,
    policyId: string | null,
    about: string | null,
  ): Judgement {
    const { lastRewrite, event, result } = this.#call;
    if (lastRewrite === null) return this.#seal(verdict, code, reason, policyId, about, null, null);
    if (event.phase === "result") return this.#seal(verdict, code, reason, policyId, about, null, result);
    const { canReplaceArgs } = this.#question;
    const sent = canReplaceArgs ? event.args : mergeToReach(this.#question.event.args, event.args);
    if (sent !== null) return this.#seal(verdict, code, reason, policyId, about, sent, null);
    const cannot = "removes an argument, which this client cannot apply";
    return this.#denied("rules", denialBy(lastRewrite.by, "rewrite_removes_key", cannot));
  }

  #seal(
    verdict: Verdict,
    code: Judgement["code"],
    reason: string,
    policy_id: string | null,
    about: string | null,
    modified_args: WireObject | null,
    modified_result: WireValue,
  ): Judgement {
    const { args } = this.#question.event;
    return Object.freeze({
      verdict,
      code,
      reason: reasonLine(reason, args),
      policy_id,
      attributed_to: attributionOf(about, args),
      modified_args,
      modified_result,
      traceJson: this.#trace.toJson(),
    });
  }
}
