import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type DatabaseOptions, everyAction } from "./answers.ts";
import { operatorsIn } from "./operators.ts";
import { storeCallHarm, storeReasons } from "./stores.ts";

const stores = /mongo|docdb|documentdb|cosmos|firestore|couch|elastic|opensearch|aggregate/i;

/** MongoDB, Redis and Elasticsearch: calls that destroy, and operators where a value is expected. */
export const storesRule = (options: DatabaseOptions): DefinedRule =>
  defineRule({
    id: "database.stores",
    actions: everyAction,
    phase: "call",
    evaluate({ action, args }) {
      const harm = storeCallHarm(action, args);
      if (harm === "program") return block(storeReasons[harm]);
      if (harm !== null) {
        const severity = harm === "all_rows" ? options.unbounded : options.destructive;
        return severity === "block" ? block(storeReasons[harm]) : escalate(storeReasons[harm]);
      }
      const found = operatorsIn(args, stores.test(action));
      if (found === null) return undefined;
      const reason =
        found.harm === "program" ? storeReasons.program : "an operator of a database stands where a value is expected";
      return block(reason, { attributedTo: found.place });
    },
    examples: [
      { event: { action: "login", args: { username: "ann", password: "x" } }, expect: "silent" },
      { event: { action: "login", args: { username: "ann", password: { $ne: null } } }, expect: "block" },
      { event: { action: "mongodb.deleteMany", args: { collection: "users", filter: {} } }, expect: options.unbounded },
      {
        event: { action: "mongodb.find", args: { collection: "users", filter: { age: { $gt: 30 } } } },
        expect: "silent",
      },
    ],
  });
