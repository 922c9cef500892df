import { Unrepresentable } from "../../wire/errors.ts";
import { parseAnswer } from "../engine/answer.ts";
import type { CallInJudgement } from "../engine/call-in-judgement.ts";
import { deadlineRace, expired } from "../engine/deadline.ts";
import { denialBy, overran, said, threw } from "../engine/denial.ts";
import type { Denial } from "../engine/judgement.ts";
import { JudgingContext } from "../engine/lookup.ts";
import type { IndexedRule, Matches } from "../engine/rule-index.ts";
import type { Trace } from "../engine/trace.ts";
import type { DeadlineTimer, ResumptionWatch, RuleWatch } from "../engine/watch.ts";

/** What the gate is given beside the call. */
export interface RulesGateState {
  /** Ids of rules that overran too often: what they would judge is blocked. */
  readonly suspended: ReadonlySet<string>;
  readonly watch: RuleWatch;
  readonly timer: DeadlineTimer;
  readonly resumptions: ResumptionWatch;
}

type Outcome = Denial | null;

/**
 * Runs the rules that match a call, in order, over what it is by then. The first block ends it; so does a rule that
 * throws, answers what is no answer, or takes its module past its deadline. Answers at once where every rule does.
 */
export class RulesGate {
  readonly #call: CallInJudgement;
  readonly #rules: Matches["rules"];
  readonly #state: RulesGateState;
  readonly #trace: Trace;
  #position = 0;
  /** When the current module's rules began, by the coarse clock. */
  #moduleStart_ms = 0;

  constructor(call: CallInJudgement, { rules }: Matches, state: RulesGateState, trace: Trace) {
    this.#call = call;
    this.#rules = rules;
    this.#state = state;
    this.#trace = trace;
  }

  /** One pass over all of them; null where nothing denied. */
  pass(): Outcome | Promise<Outcome> {
    this.#position = 0;
    return this.#goOn();
  }

  #goOn(): Outcome | Promise<Outcome> {
    const { watch, suspended, resumptions } = this.#state;
    for (; this.#position < this.#rules.length; this.#position++) {
      const indexed = this.#rules[this.#position] as IndexedRule;
      if (suspended.has(indexed.rule.id)) {
        return this.#deny(denialBy(indexed, "rule_suspended", "is suspended: it overran its deadline too often"));
      }
      if (this.#rules[this.#position - 1]?.set !== indexed.set) this.#moduleStart_ms = watch.coarseNow_ms();
      let answer: unknown;
      watch.enter(indexed.number);
      try {
        answer = indexed.nature.isAsynchronous ? this.#evaluateWatched(indexed) : this.#evaluate(indexed);
      } catch (error) {
        if (indexed.nature.isAsynchronous) resumptions.decided();
        return this.#deny(threw(indexed, error));
      } finally {
        watch.leave();
      }
      if (isThenable(answer)) return this.#await(indexed, answer);
      if (indexed.nature.isAsynchronous) resumptions.decided();
      const denial = this.#take(indexed, answer);
      if (denial !== null) return denial;
    }
    this.#trace.silentUntil(this.#rules.length);
    return null;
  }

  #evaluate(indexed: IndexedRule): unknown {
    return indexed.rule.evaluate(this.#call.event, new JudgingContext(indexed, this.#call.question.now_ms));
  }

  #evaluateWatched(indexed: IndexedRule): unknown {
    const { watch, resumptions } = this.#state;
    const { stamp } = this.#call.question;
    const turn = {
      enter: () => {
        stamp();
        watch.enter(indexed.number);
      },
      leave: () => watch.leave(),
    };
    return resumptions.run(turn, () => this.#evaluate(indexed));
  }

  async #await(indexed: IndexedRule, answer: PromiseLike<unknown>): Promise<Outcome> {
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
    const denial = this.#take(indexed, settled);
    if (denial !== null) return denial;
    this.#position++;
    return this.#goOn();
  }

  /** Takes one rule's answer; null to go on with the next. */
  #take(indexed: IndexedRule, given: unknown): Outcome {
    if (this.#state.watch.coarseNow_ms() - this.#moduleStart_ms > indexed.set.deadline_ms) {
      return this.#deny(overran(indexed));
    }
    try {
      const answer = parseAnswer(given);
      if (answer === undefined) return null;
      switch (answer.kind) {
        case "allow":
          this.#call.allowed = true;
          this.#trace.rule(this.#position, "ALLOW");
          return null;
        case "block":
          return this.#deny({ code: "rule_blocked", ...said(indexed, answer) });
        case "escalate":
          this.#call.escalations.push({ ...said(indexed, answer), by: answer.by });
          this.#trace.rule(this.#position, "REQUIRE_APPROVAL");
          return null;
        case "rewrite":
        case "rewrite_result":
          this.#call.rewrite(indexed, answer);
          this.#trace.rule(this.#position, "REWRITE");
          return null;
      }
    } catch (error) {
      if (error instanceof Unrepresentable) {
        return this.#deny(denialBy(indexed, "unrepresentable", "made a rewrite that has no JSON form"));
      }
      return this.#deny(threw(indexed, error));
    }
  }

  #deny(denial: Denial): Denial {
    this.#trace.rule(this.#position, "DENY");
    return denial;
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
