import { defineRules } from "interlock/rules";
import { policies, principals } from "./policies.ts";
import { tools } from "./tools.ts";

/** What the shop's ledger says of an invoice. The invoice `INV-R-007` is customer `C-R-0007`'s, and up to 300 of it can be paid back. */
const ledger = (invoice: unknown): { readonly customer: string; readonly refundable: number } | undefined => {
  const found = /^INV-([A-Z]{1,3})-([0-9]{3})$/.exec(String(invoice));
  return found === null ? undefined : { customer: `C-${found[1]}-0${found[2]}`, refundable: 300 };
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
