import type { Rule } from "../../rules/types.ts";
import type { Phase } from "../../wire/event.ts";
import type { ToolContract } from "../contracts/contract.ts";
import type { LoadedRuleSet, LoadedRules } from "../rulesets/loaded.ts";
import { isAsynchronous } from "./asynchronous.ts";

/** A rule as the engine runs it: with its set, its number for the watchdog, and its trace texts made once. */
export interface IndexedRule {
  readonly rule: Rule;
  readonly set: LoadedRuleSet;
  /** Unique over the life of the engine, reloads included. */
  readonly number: number;
  /** Does it go on after it has returned? Learned when a rule that is no async function first does. */
  readonly nature: { isAsynchronous: boolean };
  readonly trace: Readonly<Record<"ALLOW" | "DENY" | "REQUIRE_APPROVAL" | "SKIP" | "REWRITE", string>>;
}

/** A contract as the engine enforces it: what it runs is watched like a rule, under a number and a name. */
export interface IndexedContract {
  readonly contract: ToolContract;
  /** `<set>@<version>/<tool>`, as receipts name it. */
  readonly name: string;
  readonly number: number;
  /** `contract:<tool>`: no rule's id has a colon. */
  readonly id: string;
}

/** The rules that match one action in one phase, in order, with the trace text of their common silence. */
export interface Matches {
  readonly rules: readonly IndexedRule[];
  /** `silence[i]` is the trace of the first `i` rules when none had an opinion. */
  readonly silence: readonly string[];
}

/**
 * Rules by action, so that a call costs what matches it and not what is loaded. An action no rule names exactly is
 * looked up by its namespaces (`fs.readFile` -> `fs.*`, then `*`): the table is finite whatever an attacker asks for.
 */
export interface RuleIndex {
  readonly loaded: LoadedRules;
  readonly rules: readonly IndexedRule[];
  readonly contracts: ReadonlyMap<string, IndexedContract>;
  /** `<set>@<version>` of each set that has policies: they are judged together, so whoever looks at one looks at all. */
  readonly policySets: readonly string[];
  match(phase: Phase, action: string): Matches;
}

const traceTexts = (id: string): IndexedRule["trace"] => {
  const text = (answer: string): string => JSON.stringify(`rules/${id}:${answer}`);
  return Object.freeze({
    ALLOW: text("ALLOW"),
    DENY: text("DENY"),
    REQUIRE_APPROVAL: text("REQUIRE_APPROVAL"),
    SKIP: text("SKIP"),
    REWRITE: text("REWRITE"),
  });
};

const matchesOf = (rules: readonly IndexedRule[]): Matches => {
  const silence = [""];
  for (const { trace } of rules) {
    const before = silence.at(-1) as string;
    silence.push(before === "" ? trace.SKIP : `${before},${trace.SKIP}`);
  }
  return Object.freeze({ rules: Object.freeze(rules), silence: Object.freeze(silence) });
};

/** `a.b.c` -> `a.b.*`, `a.*`, `*`: the patterns that match an action beside its own name. */
const patternsOf = (action: string): string[] => {
  const patterns: string[] = [];
  for (let dot = action.lastIndexOf("."); dot > 0; dot = action.lastIndexOf(".", dot - 1)) {
    patterns.push(`${action.slice(0, dot)}.*`);
  }
  patterns.push("*");
  return patterns;
};

const isPattern = (name: string): boolean => name === "*" || name.endsWith(".*");

class PhaseIndex {
  readonly #named = new Map<string, Matches>();
  readonly #byNamespace = new Map<string, Matches>();
  readonly #rules: readonly IndexedRule[];

  constructor(rules: readonly IndexedRule[]) {
    this.#rules = rules;
    this.#byNamespace.set("*", this.#select(["*"]));
    for (const name of new Set(rules.flatMap((indexed) => indexed.rule.actions))) {
      if (!isPattern(name)) this.#named.set(name, this.#select([name, ...patternsOf(name)]));
      // The namespace of `fs.*` is asked for any action below it that no rule names.
      else if (name !== "*") this.#byNamespace.set(name, this.#select([name, ...patternsOf(name.slice(0, -2))]));
    }
  }

  #select(names: readonly string[]): Matches {
    const wanted = new Set(names);
    return matchesOf(this.#rules.filter(({ rule }) => rule.actions.some((action) => wanted.has(action))));
  }

  match(action: string): Matches {
    const named = this.#named.get(action);
    if (named !== undefined) return named;
    for (let dot = action.lastIndexOf("."); dot > 0; dot = action.lastIndexOf(".", dot - 1)) {
      const found = this.#byNamespace.get(`${action.slice(0, dot)}.*`);
      if (found !== undefined) return found;
    }
    return this.#byNamespace.get("*") as Matches;
  }
}

const setName = ({ id, version }: LoadedRuleSet): string => `${id}@${version}`;

/** @param firstNumber the number of the first rule; the next index begins where this one ends. */
export const indexRules = (loaded: LoadedRules, firstNumber: number): RuleIndex => {
  let number = firstNumber;
  const rules = loaded.sets.flatMap((set) =>
    set.rules.map((rule) =>
      Object.freeze({
        rule,
        set,
        number: number++,
        nature: { isAsynchronous: isAsynchronous(rule.evaluate) },
        trace: traceTexts(rule.id),
      }),
    ),
  );
  const contracts = new Map<string, IndexedContract>();
  for (const set of loaded.sets) {
    for (const contract of set.tools) {
      const tool = contract.name;
      const name = `${setName(set)}/${tool}`;
      contracts.set(tool, Object.freeze({ contract, name, number: number++, id: `contract:${tool}` }));
    }
  }
  const calls = new PhaseIndex(rules.filter(({ rule }) => rule.phase === "call"));
  const results = new PhaseIndex(rules.filter(({ rule }) => rule.phase === "result"));
  return Object.freeze({
    loaded,
    rules: Object.freeze(rules),
    contracts,
    policySets: Object.freeze(loaded.sets.filter(({ policies }) => policies.length > 0).map(setName)),
    match: (phase: Phase, action: string): Matches => (phase === "call" ? calls : results).match(action),
  });
};
