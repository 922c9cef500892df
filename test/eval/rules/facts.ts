import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

interface Refunded {
  readonly invoice: string;
  readonly amount: number;
}

/** What the shop's ledger says was paid back already: a line a refund, written by the tool that pays. */
const refunded = (): readonly Refunded[] => {
  const path = join(process.env.INTERLOCK_HOME ?? "", "refunds.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Refunded);
};

/** The invoice `INV-R-007` is customer `C-R-0007`'s, and 300 was paid for it. */
const ledger = (key: unknown): { readonly customer: string; readonly refundable: number } | undefined => {
  const found = /^INV-([A-Z]{1,3})-([0-9]{3})$/.exec(String(key));
  if (found === null) return undefined;
  const before = refunded().filter(({ invoice }) => invoice === key);
  return {
    customer: `C-${found[1]}-0${found[2]}`,
    refundable: 300 - before.reduce((sum, { amount }) => sum + amount, 0),
  };
};

/** Evidence that rests on facts: the invoice is the customer's, and no more than was paid comes back. */
export default defineRules({
  id: "eval",
  version: 1,
  tools: tools(
    {},
    {
      resolvers: { invoices: ledger },
      bounds: {
        customer: { equals: { fact: "invoices", key: "invoice", path: "customer" } },
        amount: { max: { fact: "invoices", key: "invoice", path: "refundable" } },
      },
    },
  ),
  policies,
  principals,
});
