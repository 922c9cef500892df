import type { ReceiptRow } from "../../daemon/store/store.ts";
import { verdictName } from "../../wire/verdict.ts";
import { demand } from "./broken.ts";
import { type Heard, resultOf } from "./client-life.ts";

/** What may be said without a receipt: that there is none. */
const unrecorded = "ledger_unavailable";

/** What clients were told, each held to the world when it is heard, and to the chain at the end. */
export class HeardLog {
  readonly codes = new Map<string, number>();
  readonly #told = new Map<string, Heard>();

  hear(heard: Heard): void {
    const { session, request, decision, attempt } = heard;
    const { call, call_id } = attempt;
    const code = decision.details?.code ?? "none";
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    if (code === unrecorded)
      demand(decision.verdict === 1, `${call_id}: verdict ${decision.verdict} without a receipt`);
    else this.#told.set(`${session} ${request}`, heard);
    if (code !== "replayed") return;
    demand(call.effects === 1, `${call_id}: replayed, and ${call.effects} have run`);
    const result = decision.modified_result;
    const isRecorded = result === null || JSON.stringify(result) === JSON.stringify(resultOf(call));
    demand(isRecorded, `${call_id}: replayed with another result`);
  }

  /** Every verdict that was heard has its receipt, which says the same and is the last of its question. */
  compare(rows: Iterable<Pick<ReceiptRow, "receipt">>): void {
    const receipts = new Map<string, { verdict: string; code: string }[]>();
    for (const { receipt } of rows) {
      const { kind, session, request, verdict, code } = JSON.parse(receipt) as Readonly<Record<string, string>>;
      if (kind !== "decision") continue;
      const key = `${session} ${request}`;
      receipts.set(key, [...(receipts.get(key) ?? []), { verdict: verdict as string, code: code as string }]);
    }
    for (const [key, { decision, attempt }] of this.#told) {
      const found = receipts.get(key) ?? [];
      const code = decision.details?.code;
      const verdict = verdictName(decision.verdict);
      const told = `${attempt.call_id} (${key}): told ${verdict} ${code}`;
      const receipt = found.at(-1);
      // What nobody heard, of a call that has ended since, is judged anew where it is asked again.
      const others = found.slice(0, -1).filter(({ verdict: before }) => before !== "ALLOW" && before !== "MODIFY");
      demand(others.length === 0, `${told}, ${found.length} receipts ${JSON.stringify(found)}`);
      demand(receipt?.verdict === verdict && receipt?.code === code, `${told}, recorded ${receipt?.code}`);
    }
  }
}

/** Whatever happened: each call ran once at most, and together they stayed within the limit. */
export const demandOneEffect = (calls: Iterable<Heard["attempt"]["call"]>, limit: number | null): void => {
  let sum = 0;
  for (const { args, effects } of calls) {
    demand(effects <= 1, `${JSON.stringify(args)} ran ${effects} times`);
    sum += effects * args.amount;
  }
  demand(limit === null || sum <= limit, `${sum} of ${limit} were paid`);
};
