import type { RuleAnswer, RuleEvent } from "../../rules/types.ts";
import type { WireObject, WireValue } from "../../wire/value.ts";
import type { Escalation, Question } from "./judgement.ts";
import { rewriteArgs, rewriteResult, sameValue } from "./rewrite.ts";
import type { IndexedRule } from "./rule-index.ts";

export type Rewritten = Extract<RuleAnswer, { kind: "rewrite" | "rewrite_result" }>;

/** A rewrite of arguments on a result, or of a result on a call. */
class WrongPhase extends Error {
  override readonly name = "WrongPhase";
}

/** A call or a result while it is judged: what it is by now, and what the rules have said of it. */
export class CallInJudgement {
  readonly question: Question;
  /** As the next rule sees it. */
  event: RuleEvent;
  /** Did a rewrite change it in this pass? Then what was judged before is not what will run. */
  changed = false;
  /** What this pass asked a human for. */
  escalations: Escalation[] = [];
  /** A rule looked and is satisfied. */
  allowed = false;
  /** The contract filled in what was left out: what will run is not what was put. */
  filledIn = false;
  lastRewrite: { readonly by: IndexedRule; readonly answer: Rewritten } | null = null;
  /** What replaces a result; null while nothing does. */
  result: WireValue = null;

  constructor(question: Question) {
    this.question = question;
    this.event = this.#eventWith(question.event.args);
  }

  /** What the contract read. Everything after sees it, and it is no change that has to be judged again. */
  adopt(args: WireObject): void {
    if (sameValue(this.event.args, args)) return;
    this.filledIn = true;
    this.event = this.#eventWith(args);
  }

  beginPass(): void {
    this.changed = false;
    this.escalations = [];
  }

  /** Throws `Unrepresentable`, or where the rewrite is not one of this phase. */
  rewrite(by: IndexedRule, answer: Rewritten): void {
    const { args, phase } = this.event;
    if ((answer.kind === "rewrite") !== (phase === "call")) throw new WrongPhase();
    if (answer.kind === "rewrite") this.#become(rewriteArgs(args, answer.args));
    else this.#replaceResult(answer.result);
    this.lastRewrite = { by, answer };
  }

  #replaceResult(replacement: unknown): void {
    const { result, args } = rewriteResult(replacement);
    if (result === null) return;
    this.result = result;
    this.#become(args);
  }

  #become(args: WireObject): void {
    if (sameValue(this.event.args, args)) return;
    this.changed = true;
    this.event = this.#eventWith(args);
  }

  #eventWith(args: WireObject): RuleEvent {
    const { action, phase, principal, span_id, parent_principal } = this.question.event;
    const ts = this.question.now_ms / 1000;
    return Object.freeze({ action, args, phase, principal, span_id, parent_principal, ts });
  }
}
