import { remove } from "../../rules/remove.ts";
import type { Rule, RuleAnswer, RuleEvent, RuleExample, RuleSet } from "../../rules/types.ts";
import { canonical } from "../../wire/canonical.ts";
import { encodeValue } from "../../wire/encode-value.ts";
import type { CompiledContents } from "../contracts/compile-contents.ts";
import { learnAsynchronous } from "../engine/asynchronous.ts";
import { CallOverran, callWithin } from "./call-within.ts";
import { definitionError } from "./compile.ts";
import { noContents } from "./contents.ts";
import { RuleSetRefused, thrownType } from "./refusal.ts";

/** How long one example may take, in a loop or waiting for a promise. */
const maxExample_ms = 5_000;

export interface ExampleOutcome {
  /** The rule's id; `tool NAME` and `policy ID` for theirs. */
  readonly rule: string;
  /** From 1, as it is shown. */
  readonly place: number;
  /** One line; null where the example holds. */
  readonly failure: string | null;
}

/** Runs every example of a set and of what it holds beside rules. */
export const runAllExamples = async (
  set: RuleSet,
  contents: CompiledContents,
  now_ms: number,
): Promise<readonly ExampleOutcome[]> => {
  const ofRules = await runExamples(set, now_ms);
  if (contents === noContents) return ofRules;
  const { runContentsExamples } = await import("../contracts/contents-examples.ts");
  const ofContents = await runContentsExamples(set, contents, now_ms);
  return [...ofRules, ...ofContents.map(({ kind, id, place, failure }) => ({ rule: `${kind} ${id}`, place, failure }))];
};

/** Runs every example of the rules, in order, each against its own rule alone. Facts come from `given`. */
export const runExamples = async (set: Pick<RuleSet, "rules">, now_ms: number): Promise<readonly ExampleOutcome[]> => {
  const outcomes: ExampleOutcome[] = [];
  for (const rule of set.rules)
    for (const [index, example] of rule.examples.entries())
      outcomes.push({ rule: rule.id, place: index + 1, failure: await failureOf(rule, example, now_ms) });
  return outcomes;
};

/**
 * Runs the first example of each rule and looks at nothing: what a rule loads when it first runs (a parser, a table) is
 * then loaded before the first call has to wait for it within a deadline.
 */
export const warmUp = async (set: Pick<RuleSet, "rules">, now_ms: number): Promise<void> => {
  for (const rule of set.rules) {
    const [first] = rule.examples;
    if (first !== undefined) await failureOf(rule, first, now_ms);
  }
};

/** Throws `RuleSetRefused` (`examples_failed`) where one does not hold; `what` is the set, as a person knows it. */
export const refuseFailed = (outcomes: readonly ExampleOutcome[], what: string): void => {
  const failed = outcomes.filter(({ failure }) => failure !== null).map(describeFailure);
  if (failed.length > 0)
    throw new RuleSetRefused(
      "examples_failed",
      `${what}: ${failed.length} of its examples failed: ${failed[0]}`,
      failed,
    );
};

/** One line for an example that does not hold. */
export const describeFailure = ({ rule, place, failure }: ExampleOutcome): string =>
  `${rule.includes(" ") ? rule : `rule ${rule}`}: example ${place}: ${failure}`;

const failureOf = async (rule: Rule, example: RuleExample, now_ms: number): Promise<string | null> => {
  let answer: RuleAnswer | undefined;
  try {
    answer = await answerTo(rule, example, now_ms);
  } catch (error) {
    if (error instanceof CallOverran) return `gave no answer in ${maxExample_ms} ms`;
    // A bundle's class names are shortened; what the SDK refuses, it says in a line of its own.
    return `threw ${definitionError(error)?.message ?? thrownType(error)}`;
  }
  const got = kindOf(answer);
  if (got === null) return `expected ${example.expect}, got something that is not an answer`;
  if (got !== example.expect) return `expected ${example.expect}, got ${got}`;
  if (example.becomes === undefined || answer === undefined) return null;
  try {
    const becomes = canonical(encodeValue(rewritten(answer, example)));
    return becomes === canonical(encodeValue(example.becomes)) ? null : "rewrote to something else than `becomes`";
  } catch (error) {
    return `rewrote to what has no JSON form (${thrownType(error)})`;
  }
};

const answerTo = async (rule: Rule, example: RuleExample, now_ms: number): Promise<RuleAnswer | undefined> => {
  const given = example.given ?? {};
  const context = {
    now_ms,
    lookup: async (resolver: string, key: unknown): Promise<unknown> => {
      const facts = Object.hasOwn(given, resolver) ? given[resolver] : undefined;
      return facts !== undefined && typeof key === "string" && Object.hasOwn(facts, key) ? facts[key] : undefined;
    },
  };
  let timer: NodeJS.Timeout | undefined;
  const overrun = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new CallOverran()), maxExample_ms);
  });
  try {
    const evaluated = callWithin(maxExample_ms, () => rule.evaluate(eventOf(rule, example, now_ms), context));
    // The engine watches a rule that goes on after it has returned more closely.
    if (evaluated instanceof Promise) learnAsynchronous(rule.evaluate);
    return await Promise.race([evaluated, overrun]);
  } finally {
    clearTimeout(timer);
  }
};

const eventOf = (rule: Rule, { event }: RuleExample, now_ms: number): RuleEvent =>
  Object.freeze({
    action: event.action,
    args: event.args,
    phase: rule.phase,
    principal: event.principal ?? null,
    parent_principal: event.parent_principal ?? null,
    span_id: null,
    ts: now_ms / 1000,
  });

const kindOf = (answer: unknown): RuleExample["expect"] | null => {
  if (answer === undefined) return "silent";
  const kind = typeof answer === "object" && answer !== null && "kind" in answer ? answer.kind : null;
  if (kind === "rewrite_result") return "rewrite";
  return kind === "allow" || kind === "block" || kind === "rewrite" || kind === "escalate" ? kind : null;
};

const rewritten = (answer: RuleAnswer, { event }: RuleExample): unknown => {
  if (answer.kind === "rewrite_result") return answer.result;
  if (answer.kind !== "rewrite") return undefined;
  const merged = new Map(Object.entries({ ...event.args, ...answer.args } as Record<string, unknown>));
  for (const [key, value] of merged) if (value === remove) merged.delete(key);
  return Object.fromEntries(merged);
};
