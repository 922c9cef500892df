import type { Lookup, RuleContext } from "../../rules/types.ts";
import type { Question } from "./judgement.ts";
import type { IndexedRule } from "./rule-index.ts";

/** The rule asked for facts that its set does not declare. */
export class UnknownResolver extends Error {
  override readonly name = "UnknownResolver";
}

/**
 * What a rule may ask while it judges. A rule goes on running when a fact arrives, and may hang then: so the watchdog
 * is told again (`resume`) before each answer is handed over. Most rules look nothing up, so `lookup` is made when it
 * is read.
 */
export class JudgingContext implements RuleContext {
  readonly now_ms: number;
  readonly #indexed: IndexedRule;
  readonly #resume: Question["resume"];

  constructor(indexed: IndexedRule, now_ms: number, resume: Question["resume"]) {
    this.#indexed = indexed;
    this.now_ms = now_ms;
    this.#resume = resume;
  }

  get lookup(): Lookup {
    const { resolvers } = this.#indexed.set;
    return async (resolver, key) => {
      if (!Object.hasOwn(resolvers, resolver)) throw new UnknownResolver();
      try {
        return await resolvers[resolver]?.(key as never);
      } finally {
        await new Promise<void>((goOn) => this.#resume(this.#indexed.number, goOn));
      }
    };
  }
}
