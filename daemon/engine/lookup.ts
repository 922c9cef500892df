import type { Lookup, RuleContext } from "../../rules/types.ts";
import type { IndexedRule } from "./rule-index.ts";

/** The rule asked for facts that its set does not declare. */
export class UnknownResolver extends Error {
  override readonly name = "UnknownResolver";
}

/** What a rule may ask while it judges. Most rules look nothing up, so `lookup` is made when it is read. */
export class JudgingContext implements RuleContext {
  readonly now_ms: number;
  readonly #indexed: IndexedRule;

  constructor(indexed: IndexedRule, now_ms: number) {
    this.#indexed = indexed;
    this.now_ms = now_ms;
  }

  get lookup(): Lookup {
    const { resolvers } = this.#indexed.set;
    return async (resolver, key) => {
      if (!Object.hasOwn(resolvers, resolver)) throw new UnknownResolver();
      return await resolvers[resolver]?.(key as never);
    };
  }
}
