import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { noContracts, noPolicies } from "../../daemon/contracts/none.ts";
import { type EngineState, judge } from "../../daemon/engine/judge.ts";
import type { Question } from "../../daemon/engine/judgement.ts";
import { indexRules } from "../../daemon/engine/rule-index.ts";
import { transactionKeys } from "../../daemon/engine/transaction-state.ts";
import { bundleRuleSet } from "../../daemon/rulesets/bundle.ts";
import { Resumptions } from "../../daemon/supervisor/resumptions.ts";
import { keyedHash } from "../../daemon/transactions/keyed-hash.ts";
import type { Rule } from "../../rules/types.ts";
import type { Phase } from "../../wire/event.ts";
import type { WireObject } from "../../wire/value.ts";
import { Verdict } from "../../wire/verdict.ts";

const entry = `import { standardPacks } from "interlock/rules/packs";

export const { rules, deadline_ms } = standardPacks({
  roots: ["/home/user/project"],
  directory: "/home/user/project",
});
`;

export type Ask = (phase: Phase, action: string, args: WireObject) => Promise<void>;

/**
 * The rules of all starter packs, bundled as a signed set is, asked by the daemon's own engine in this process. What is not
 * allowed throws: a bench measures what passes.
 *
 * @param path where the entry is written, with the ending `.ts`; the bundle stands beside it.
 */
export const starterPacks = async (path: string): Promise<Ask> => {
  writeFileSync(path, entry);
  const bundle = path.replace(/\.ts$/, ".cjs");
  writeFileSync(bundle, (await bundleRuleSet(path)).code);
  const { rules, deadline_ms } = createRequire(path)(bundle) as { rules: readonly Rule[]; deadline_ms: number };
  return asked(stateOf(rules, deadline_ms));
};

/** The same engine without a rule: what the packs add is held against it. */
export const noPacks = (): Ask => asked(stateOf([], 250));

const asked =
  (state: EngineState): Ask =>
  async (phase, action, args) => {
    const answered = judge(questionOf(phase, action, args), state);
    // An answer that is there already is not waited for, as in the daemon.
    const { verdict, reason } = answered instanceof Promise ? await answered : answered;
    if (verdict !== Verdict.ALLOW) throw new Error(`bench: ${action} was not allowed: ${reason}`);
  };

const questionOf = (phase: Phase, action: string, args: WireObject): Question => ({
  event: { action, args, phase, principal: null, span_id: null, parent_principal: null, ts: null, call_id: null },
  now_ms: 1_700_000_000_000,
  source: "claimed",
  identity: null,
  canReplaceArgs: true,
  resume: null,
  surface: null,
  behaviour: null,
  stamp: () => undefined,
});

const stateOf = (rules: readonly Rule[], deadline_ms: number): EngineState => {
  const set = { id: "packs", version: 1, digest: "sha256:packs", keyIds: [], origin: null, rules, resolvers: {} };
  const sets = [{ ...set, tools: [], policies: [], deadline_ms }];
  const loaded = { digest: "sha256:bench", version: 1, sets, contracts: noContracts, policies: noPolicies };
  return {
    index: indexRules(loaded, 0),
    unknown: "allow",
    scopes: null,
    suspended: new Set(),
    watch: { enter: () => undefined, leave: () => undefined, coarseNow_ms: () => 0 },
    timer: { after: () => () => undefined },
    resumptions: new Resumptions(),
    transactions: {
      keys: transactionKeys((purpose) => keyedHash(new Uint8Array(32), purpose)),
      newTransactionId: () => "tx_bench",
      look: () => null,
    },
  };
};
