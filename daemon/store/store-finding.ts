/** What can be wrong with a store beside its chain, and what each finding means. docs/receipts.md lists them. */
export const storeProblems = Object.freeze({
  file_unsafe: "the file is open to others, belongs to somebody else, or is no regular file",
  file_missing: "the file has to be there and is not",
  file_left_over: "a start or a writing was cut off and left the file; the next one replaces it",
  database_damaged: "the database file itself is damaged; restore it",
  row_damaged: "the row does not hold receipts that are whole and in their places",
  hashes_differ: "the hashes that are noted of a page, for whoever signs, are not those of its receipts",
  rows_missing: "receipts are missing between those that are stored",
  journal_damaged: "a line of the journal is damaged",
  journal_detached: "the journal does not continue the receipts of its database",
  kept_detached: "a kept answer, or a salt, belongs to a receipt that is not there",
  event_detached: "a captured call belongs to a receipt that is not there",
  checkpoint_damaged: "the row is not a checkpoint of this chain and size",
  checkpoint_beyond: "the checkpoint covers more receipts than there are",
  checkpoint_differs: "the file's checkpoint is not stored, or has another root there",
  mark_damaged: "the mark of pruned receipts does not fit the receipts after it, or its checkpoint is missing",
} satisfies Record<string, string>);

export type StoreProblem = keyof typeof storeProblems;

export interface StoreFinding {
  readonly problem: StoreProblem;
  /** A file's name, a table and a row, a receipt's number. Never a value. */
  readonly where: string;
}
