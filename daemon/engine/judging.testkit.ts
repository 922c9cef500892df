import type { Rule, RuleAnswer, RuleContext, RuleEvent } from "../../rules/types.ts";
import type { SensorEvent } from "../../wire/event.ts";
import { deepFreeze } from "../../wire/freeze.ts";
import type { WireObject } from "../../wire/value.ts";
import { noContracts, noPolicies } from "../contracts/none.ts";
import type { PrincipalSource } from "../identity/acting.ts";
import type { LoadedRules } from "../rulesets/loaded.ts";
import { Resumptions } from "../supervisor/resumptions.ts";
import { keyedHash } from "../transactions/keyed-hash.ts";
import { type EngineState, judge } from "./judge.ts";
import type { Judgement } from "./judgement.ts";
import { indexRules } from "./rule-index.ts";
import { transactionKeys } from "./transaction-state.ts";

/** What a test writes of a rule; the rest does not matter to it. */
export type Ruling = (
  event: RuleEvent,
  context: RuleContext,
) => RuleAnswer | undefined | Promise<RuleAnswer | undefined>;

export const rule = (id: string, evaluate: Ruling, more: Partial<Rule> = {}): Rule => ({
  id,
  actions: ["*"],
  phase: "call",
  evaluate,
  examples: [],
  ...more,
});

export const loadedRules = (rules: readonly Rule[], resolvers = {}): LoadedRules => ({
  digest: "sha256:test",
  version: 1,
  sets: [
    {
      id: "set",
      version: 1,
      digest: "sha256:set",
      keyIds: ["k"],
      origin: null,
      rules,
      resolvers,
      tools: [],
      policies: [],
      deadline_ms: 250,
    },
  ],
  contracts: noContracts,
  policies: noPolicies,
});

/** A clock and timers that a test moves by hand. */
export class ManualTime {
  now_ms = 0;
  readonly #due: { at_ms: number; expired: () => void }[] = [];

  after(delay_ms: number, expired: () => void): () => void {
    const entry = { at_ms: this.now_ms + delay_ms, expired };
    this.#due.push(entry);
    return () => this.#due.splice(this.#due.indexOf(entry), 1);
  }

  pass(duration_ms: number): void {
    this.now_ms += duration_ms;
    for (const { at_ms, expired } of [...this.#due]) if (at_ms <= this.now_ms) expired();
  }
}

export interface Put {
  readonly event?: Partial<SensorEvent>;
  readonly args?: WireObject;
  readonly state?: Partial<EngineState>;
  readonly resolvers?: Record<string, (key: unknown) => unknown>;
  readonly source?: PrincipalSource;
  readonly canReplaceArgs?: boolean;
  readonly time?: ManualTime;
  readonly entered?: number[];
}

export const putTo = (rules: readonly Rule[], put: Put = {}): Judgement | Promise<Judgement> => {
  const time = put.time ?? new ManualTime();
  const event: SensorEvent = {
    action: "tool",
    args: deepFreeze(put.args ?? {}),
    phase: "call",
    principal: null,
    span_id: null,
    parent_principal: null,
    ts: null,
    call_id: null,
    ...put.event,
  };
  const state: EngineState = {
    index: indexRules(loadedRules(rules, put.resolvers), 0),
    unknown: "allow",
    scopes: null,
    suspended: new Set(),
    watch: { enter: (number) => put.entered?.push(number), leave: () => undefined, coarseNow_ms: () => time.now_ms },
    timer: time,
    resumptions: new Resumptions(),
    transactions: {
      keys: transactionKeys((purpose) => keyedHash(new Uint8Array(32), purpose)),
      newTransactionId: () => "tx_test",
      look: () => null,
    },
    ...put.state,
  };
  return judge(
    {
      event,
      now_ms: 1_700_000_000_000,
      source: put.source ?? "claimed",
      identity: null,
      canReplaceArgs: put.canReplaceArgs ?? false,
      resume: null,
      surface: null,
      behaviour: null,
      stamp: () => undefined,
    },
    state,
  );
};

/** For rules that all answer at once: a promise here is a failure of its own. */
export const judged = (rules: readonly Rule[], put?: Put): Judgement => {
  const judgement = putTo(rules, put);
  if (judgement instanceof Promise) throw new Error("a synchronous question was answered by a promise");
  return judgement;
};
