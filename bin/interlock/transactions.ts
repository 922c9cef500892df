import { Argument, Command } from "commander";
import { limitOf } from "../../daemon/operator/commands/terms.ts";
import { listTransactions, resolveTransaction, showTransaction } from "../../daemon/operator/commands/transactions.ts";
import { maxListed } from "../../daemon/operator/limits.ts";
import { transactionStatuses } from "../../daemon/operator/request.ts";
import { print } from "./print.ts";
import { choice, type SeatedOptions, seat, seated } from "./seated.ts";

export const transactionsCommand = (): Command => {
  const transactions = new Command("transactions").description("what ran, and what nobody knows about");
  seated(transactions.command("list"))
    .description("newest first")
    .addOption(choice("--status <status>", "which", transactionStatuses).default("all"))
    .option("--limit <count>", "how many", "50")
    .action(async ({ status, limit, json, ...flags }) =>
      print(await listTransactions(await seat(flags), { status, limit: limitOf(limit, maxListed) }), json),
    );
  seated(transactions.command("show"))
    .description("one transaction")
    .argument("<id>", "the transaction")
    .action(async (id: string, { json, ...flags }: SeatedOptions) =>
      print(await showTransaction(await seat(flags), id), json),
    );
  seated(transactions.command("resolve"))
    .description("say whether an unknown one ran: executed, it is not run again; failed, it may be")
    .argument("<id>", "the transaction")
    .addArgument(new Argument("<outcome>", "what became of it").choices(["executed", "failed"]))
    .action(async (id: string, outcome: "executed" | "failed", { json, ...flags }: SeatedOptions) =>
      print(await resolveTransaction(await seat(flags), id, outcome), json),
    );
  return transactions;
};
