import type { ApprovalNeed } from "../../contracts/policy.ts";
import { StoreFailed } from "../../store/refused.ts";
import type { ApprovalRow, ApprovalVote } from "../../store/transaction-rows.ts";
import type { ShapeKey } from "../plan.ts";

/** A row that cannot be read grants nothing: it throws StoreFailed, and its call is blocked. */
const listIn = (text: string): readonly unknown[] => {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) throw new StoreFailed("an approval's row is damaged");
  return list;
};

export const needsOf = (row: Pick<ApprovalRow, "needs">): readonly ApprovalNeed[] =>
  listIn(row.needs) as readonly ApprovalNeed[];

export const votesOf = (row: Pick<ApprovalRow, "votes">): readonly ApprovalVote[] =>
  listIn(row.votes) as readonly ApprovalVote[];

export const shapesOf = (row: Pick<ApprovalRow, "shapes">): readonly ShapeKey[] =>
  listIn(row.shapes) as readonly ShapeKey[];
