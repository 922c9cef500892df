import { noContracts, noPolicies } from "../../daemon/contracts/none.ts";
import type { EngineState } from "../../daemon/engine/judge.ts";
import { indexRules } from "../../daemon/engine/rule-index.ts";
import { transactionKeys } from "../../daemon/engine/transaction-state.ts";
import { Resumptions } from "../../daemon/supervisor/resumptions.ts";
import { keyedHash } from "../../daemon/transactions/keyed-hash.ts";
import { deadline_ms, simRules } from "./sim-rules.ts";
import type { SimTime } from "./sim-time.ts";

/** The engine's state under simulated time; `onEnter` is called before a rule runs and may throw, as a failing engine would. */
export const simEngine = (time: SimTime, onEnter: () => void): EngineState => {
  const set = {
    id: "sim",
    version: 1,
    digest: "sha256:set",
    origin: null,
    keyIds: ["k"],
    resolvers: {},
    tools: [],
    policies: [],
    deadline_ms,
  };
  const loaded = {
    digest: "sha256:sim",
    version: 1,
    sets: [{ ...set, rules: simRules(time) }],
    contracts: noContracts,
    policies: noPolicies,
  };
  return {
    index: indexRules(loaded, 0),
    unknown: "block",
    scopes: null,
    suspended: new Set(),
    watch: { enter: onEnter, leave: () => undefined, coarseNow_ms: () => time.elapsed_ms() },
    timer: time,
    resumptions: new Resumptions(),
    transactions: {
      keys: transactionKeys((purpose) => keyedHash(new Uint8Array(32), purpose)),
      newTransactionId: () => "tx_test",
      look: () => null,
    },
  };
};
