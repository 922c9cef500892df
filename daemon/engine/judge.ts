import type { RuleAnswer, RuleEvent } from "../../rules/types.ts";
import { Unrepresentable } from "../../wire/errors.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";
import { approvalGate } from "../gates/approval.ts";
import { identityGate, type PrincipalSource } from "../gates/identity.ts";
import { errorTypeName, parseAnswer } from "./answer.ts";
import { deadlineRace, expired } from "./deadline.ts";
import type { Denial, Escalation, Judgement, Question } from "./judgement.ts";
import { JudgingContext } from "./lookup.ts";
import { attributionOf, reasonLine } from "./reason.ts";
import type { Resumptions } from "./resumptions.ts";
import { mergeToReach, rewriteArgs, rewriteResult, sameValue } from "./rewrite.ts";
import type { IndexedRule, Matches, RuleIndex } from "./rule-index.ts";
import { Trace } from "./trace.ts";
import { type UnknownSetting, unknownVerdict } from "./unknown.ts";
import type { DeadlineTimer, RuleWatch } from "./watch.ts";

/** What the engine is given to judge by. One question is judged by one of these from start to end. */
export interface EngineState {
  readonly index: RuleIndex;
  readonly unknown: UnknownSetting;
  readonly principals: PrincipalSource;
  /** Ids of rules that overran too often: what they would judge is blocked. */
  readonly suspended: ReadonlySet<string>;
  readonly watch: RuleWatch;
  readonly timer: DeadlineTimer;
  readonly resumptions: Resumptions;
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

type Rewritten = Extract<RuleAnswer, { kind: "rewrite" | "rewrite_result" }>;

class Judging {
  readonly #question: Question;
  readonly #state: EngineState;
  readonly #matches: Matches;
  readonly #trace = new Trace();
  #event: RuleEvent;
  #pass = 0;
  #position = 0;
  #changedInPass = false;
  #escalations: Escalation[] = [];
  #allowed = false;
  #lastRewrite: Rewritten | null = null;
  #lastRewriter: IndexedRule | null = null;
  #result: WireValue = null;
  /** When the current module's rules began, by the coarse clock. */
  #moduleStart_ms = 0;

  constructor(question: Question, state: EngineState) {
    const { event } = question;
    this.#question = question;
    this.#state = state;
    this.#matches = state.index.match(event.phase, event.action);
    this.#event = this.#eventWith(event.args);
  }

  run(): Judgement | Promise<Judgement> {
    this.#trace.gate("identity", identityGate(this.#state.principals));
    this.#beginPass();
    return this.#advance();
  }

  #eventWith(args: WireObject): RuleEvent {
    const { action, phase, principal, span_id, parent_principal } = this.#question.event;
    return Object.freeze({
      action,
      args,
      phase,
      principal,
      span_id,
      parent_principal,
      ts: this.#question.now_ms / 1000,
    });
  }

  #beginPass(): void {
    this.#pass++;
    this.#position = 0;
    this.#changedInPass = false;
    this.#escalations = [];
    this.#trace.pass(this.#pass, this.#matches);
  }

  #advance(): Judgement | Promise<Judgement> {
    const { rules } = this.#matches;
    const { watch, suspended } = this.#state;
    for (;;) {
      for (; this.#position < rules.length; this.#position++) {
        const indexed = rules[this.#position] as IndexedRule;
        if (suspended.has(indexed.rule.id)) {
          return this.#deny(denialBy(indexed, "rule_suspended", "is suspended: it overran its deadline too often"));
        }
        if (this.#position === 0 || (rules[this.#position - 1] as IndexedRule).set !== indexed.set) {
          this.#moduleStart_ms = watch.coarseNow_ms();
        }
        let answer: unknown;
        watch.enter(indexed.number);
        try {
          answer = indexed.nature.isAsynchronous ? this.#evaluateAsync(indexed) : this.#evaluate(indexed);
        } catch (error) {
          if (indexed.nature.isAsynchronous) this.#state.resumptions.decided();
          return this.#deny(threw(indexed, error));
        } finally {
          watch.leave();
        }
        if (isThenable(answer)) return this.#await(indexed, answer);
        if (indexed.nature.isAsynchronous) this.#state.resumptions.decided();
        const end = this.#take(indexed, answer);
        if (end !== null) return end;
      }
      const end = this.#endPass();
      if (end !== null) return end;
      this.#beginPass();
    }
  }

  #evaluate(indexed: IndexedRule): unknown {
    return indexed.rule.evaluate(this.#event, new JudgingContext(indexed, this.#question.now_ms));
  }

  #evaluateAsync(indexed: IndexedRule): unknown {
    const { watch, resumptions } = this.#state;
    const { stamp } = this.#question;
    const turn = {
      enter: () => {
        stamp();
        watch.enter(indexed.number);
      },
      leave: () => watch.leave(),
    };
    return resumptions.run(turn, () => this.#evaluate(indexed));
  }

  async #await(indexed: IndexedRule, answer: PromiseLike<unknown>): Promise<Judgement> {
    const { watch, timer, resumptions } = this.#state;
    const isWatched = indexed.nature.isAsynchronous;
    indexed.nature.isAsynchronous = true;
    const left_ms = this.#moduleStart_ms + indexed.set.deadline_ms - watch.coarseNow_ms();
    let settled: unknown;
    try {
      settled = await deadlineRace(answer, left_ms, timer);
    } catch (error) {
      return this.#deny(threw(indexed, error));
    } finally {
      watch.leave();
      if (isWatched) resumptions.decided();
    }
    if (settled === expired) return this.#deny(overran(indexed));
    const end = this.#take(indexed, settled);
    if (end !== null) return end;
    this.#position++;
    return this.#advance();
  }

  /** Takes one rule's answer; returns the end of the matter, or null to go on. */
  #take(indexed: IndexedRule, given: unknown): Judgement | null {
    if (this.#state.watch.coarseNow_ms() - this.#moduleStart_ms > indexed.set.deadline_ms) {
      return this.#deny(overran(indexed));
    }
    let answer: RuleAnswer | undefined;
    try {
      answer = parseAnswer(given);
      if (answer === undefined) return null;
      if (answer.kind === "rewrite" || answer.kind === "rewrite_result") this.#rewrite(answer);
    } catch (error) {
      if (error instanceof Unrepresentable) {
        return this.#deny(denialBy(indexed, "unrepresentable", "made a rewrite that has no JSON form"));
      }
      return this.#deny(threw(indexed, error));
    }
    switch (answer.kind) {
      case "allow":
        this.#allowed = true;
        this.#trace.rule(this.#position, "ALLOW");
        return null;
      case "block":
        return this.#deny({ code: "rule_blocked", ...said(indexed, answer) });
      case "escalate":
        this.#escalations.push({ ...said(indexed, answer), by: answer.by });
        this.#trace.rule(this.#position, "REQUIRE_APPROVAL");
        return null;
      case "rewrite":
      case "rewrite_result":
        this.#lastRewrite = answer;
        this.#lastRewriter = indexed;
        this.#trace.rule(this.#position, "REWRITE");
        return null;
    }
  }

  #rewrite(answer: Rewritten): void {
    const before = this.#event.args;
    const { phase } = this.#event;
    if ((answer.kind === "rewrite") !== (phase === "call")) throw new WrongPhase();
    if (answer.kind === "rewrite") {
      this.#replaceArgs(before, rewriteArgs(before, answer.args));
      return;
    }
    const { result, args } = rewriteResult(answer.result);
    if (result === null) return;
    this.#result = result;
    this.#replaceArgs(before, args);
  }

  #replaceArgs(before: WireObject, after: WireObject): void {
    if (sameValue(before, after)) return;
    this.#changedInPass = true;
    this.#event = this.#eventWith(after);
  }

  /** A pass that changed the call is followed by another over the changed call; a settled one ends the matter. */
  #endPass(): Judgement | null {
    this.#trace.silentUntil(this.#matches.rules.length);
    if (!this.#changedInPass) return this.#conclude();
    if (this.#pass < maxPasses) return null;
    return this.#deny(
      denialBy(this.#lastRewriter as IndexedRule, "rewrite_unsettled", "still changes the call in the third pass"),
    );
  }

  #conclude(): Judgement {
    const asked = this.#escalations.length > 0;
    const spoke = this.#allowed || this.#lastRewrite !== null;
    this.#trace.gate("rules", asked ? "REQUIRE_APPROVAL" : spoke ? "ALLOW" : "SKIP");
    const approval = approvalGate(this.#event.phase, this.#escalations);
    if (approval.answer === "DENY") return this.#denied("approval", approval.denial);
    this.#trace.gate("approval", approval.answer);
    if (approval.answer === "REQUIRE_APPROVAL") {
      const { reason, policyId, attributedTo, by } = approval.escalation;
      const code = by === "operator" ? "escalated_operator" : "escalated";
      return this.#end(Verdict.ESCALATE, code, reason, policyId, attributedTo);
    }
    if (this.#lastRewrite !== null) {
      const { reason, policyId, attributedTo } = said(this.#lastRewriter as IndexedRule, this.#lastRewrite);
      return this.#end(Verdict.MODIFY, "rewritten", reason, policyId, attributedTo);
    }
    if (this.#allowed || this.#event.phase === "result") {
      return this.#end(Verdict.ALLOW, this.#allowed ? "allowed" : "unknown_allowed", "", null, null);
    }
    const { verdict, code, reason } = unknownVerdict[this.#state.unknown];
    return this.#end(verdict, code, reason, null, null);
  }

  #deny(denial: Denial): Judgement {
    if (this.#position < this.#matches.rules.length) this.#trace.rule(this.#position, "DENY");
    return this.#denied("rules", denial);
  }

  #denied(gate: string, { code, reason, policyId, attributedTo }: Denial): Judgement {
    this.#trace.gate(gate, "DENY");
    return this.#seal(Verdict.BLOCK, code, reason, policyId, attributedTo, null, null);
  }

  #end(
    verdict: Verdict,
    code: Judgement["code"],
    reason: string,
    policyId: string | null,
    about: string | null,
  ): Judgement {
    if (this.#lastRewrite === null) return this.#seal(verdict, code, reason, policyId, about, null, null);
    if (this.#event.phase === "result") return this.#seal(verdict, code, reason, policyId, about, null, this.#result);
    const before = this.#question.event.args;
    const after = this.#event.args;
    const sent = this.#question.canReplaceArgs ? after : mergeToReach(before, after);
    if (sent === null) {
      return this.#denied(
        "rules",
        denialBy(
          this.#lastRewriter as IndexedRule,
          "rewrite_removes_key",
          "removes an argument, which this client cannot apply",
        ),
      );
    }
    return this.#seal(verdict, code, reason, policyId, about, sent, null);
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

/** A rewrite of arguments on a result, or of a result on a call. */
class WrongPhase extends Error {
  override readonly name = "WrongPhase";
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";

/** What a rule said of itself; the policy is the rule where it names none. */
const said = (
  { rule }: IndexedRule,
  answer: Exclude<RuleAnswer, { kind: "allow" }>,
): { reason: string; policyId: string | null; attributedTo: string | null } => ({
  reason: answer.reason,
  policyId: answer.policyId === undefined ? rule.id : answer.policyId,
  attributedTo: answer.attributedTo,
});

const denialBy = ({ rule }: IndexedRule, code: Denial["code"], what: string): Denial => ({
  code,
  reason: `rule ${rule.id} ${what}`,
  policyId: rule.id,
  attributedTo: null,
});

const threw = (indexed: IndexedRule, error: unknown): Denial =>
  denialBy(indexed, "rule_threw", `failed, denied fail-closed: ${errorTypeName(error)}`);

export const overran = (indexed: IndexedRule): Denial =>
  denialBy(indexed, "rule_overran", `ran past its deadline of ${indexed.set.deadline_ms} ms`);
