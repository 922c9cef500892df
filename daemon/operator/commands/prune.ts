import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import type { PruneBound } from "../../ledger/pruning/prune.ts";
import { askOperators, type OperatorSeat } from "../ask-operators.ts";
import { orSaidNo } from "./or-said-no.ts";

const seqPattern = /^[1-9][0-9]{0,15}$/;
const datePattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Before which receipt, as it is typed: its number, a date (UTC), or a time with its zone. Throws Refusal. */
export const pruneBoundOf = (text: string): PruneBound => {
  if (seqPattern.test(text)) return { kind: "before_seq", seq: Number(text) };
  const time_ms = datePattern.test(text) ? Date.parse(text) : Number.NaN;
  if (time_ms >= 0) return { kind: "before_time", time_ms };
  throw new Refusal(
    ExitCode.refused,
    "--before is a receipt's number, a date (2027-01-31), or a time with its zone (2027-01-31T12:00Z)",
  );
};

/**
 * `interlock receipts prune --before SEQ|DATE`: the daemon prunes, in steps, because it is the one that writes. Exit 0, also
 * where nothing was to be pruned; 5 where no daemon answers.
 */
export const pruneReceipts = (
  seat: OperatorSeat,
  bound: PruneBound,
  progress: (receipts: number) => void,
): Promise<CommandResult> =>
  orSaidNo(async () => {
    const with_ =
      bound.kind === "before_seq"
        ? { before_ms: null, before_seq: bound.seq }
        : { before_ms: bound.time_ms, before_seq: null };
    let through: number | null = null;
    for (;;) {
      const { through: next } = (await askOperators(seat, "receipts.prune", with_)) as { through: number | null };
      if (next === null) break;
      through = next;
      progress(through);
    }
    const json = { ok: true, through };
    if (through !== null) return done([`receipts 1 to ${through} are pruned; a mark stands for them`], json);
    return done(["nothing was pruned: no checkpoint before that is older than two minutes"], json);
  });
