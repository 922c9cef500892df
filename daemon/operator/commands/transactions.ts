import { type CommandResult, done } from "../../commands/command-result.ts";
import type { TransactionStatus } from "../../transactions/status.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import { transactionLine } from "../display/transaction-line.ts";
import type { TransactionView } from "../transaction-service.ts";
import { orSaidNo } from "./or-said-no.ts";

/** `interlock transactions list`: newest first. */
export const listTransactions = (
  seat: OperatorSeat,
  { status, limit }: { readonly status: TransactionStatus | "all"; readonly limit: number },
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const answer = await askOperators(seat, "transactions.list", { status, limit });
    const transactions = answer.transactions as unknown as readonly TransactionView[];
    const lines = transactions.map(transactionLine);
    if (lines.length === limit) lines.push(`(the newest ${limit}; --limit shows more)`);
    const none = `no transaction is ${status === "all" ? "there" : status}`;
    return done(lines.length === 0 ? [none] : lines, { transactions });
  });

/** `interlock transactions show ID`. */
export const showTransaction = (seat: OperatorSeat, transaction_id: string): Promise<CommandResult> =>
  orSaidNo(async () => {
    const answer = await askOperators(seat, "transactions.show", { transaction_id });
    const transaction = answer.transaction as unknown as TransactionView;
    return done([transactionLine(transaction)], { transaction });
  });

/** `interlock transactions resolve ID executed|failed`: a person's word on what nobody else knows. */
export const resolveTransaction = (
  seat: OperatorSeat,
  transaction_id: string,
  as: "executed" | "failed",
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const answer = await askOperators(seat, "transactions.resolve", { transaction_id, as });
    const transaction = answer.transaction as unknown as TransactionView;
    return done([transactionLine(transaction)], { transaction });
  });
