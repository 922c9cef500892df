import type {
  AppendResult,
  CommitResult,
  ControlRecord,
  DecisionRecord,
  EmbeddedLedger,
  Entry,
  FoundDecision,
  Ledger,
  ResendQuestion,
} from "../../daemon/ledger/record.ts";

/** What the disk does with the next group. */
export type DiskMood = "well" | "refuses" | "writes and reports an error" | "takes the first half";

export const questionKey = (session: string | null, request: string): string => `${session} ${request}`;

/** A real ledger behind a disk that fails when it is told to. Notes what is durable, whatever was reported of it. */
export class FailingLedger implements Ledger {
  readonly real: EmbeddedLedger;
  mood: DiskMood = "well";
  canRead = true;
  readonly #durable: Map<string, DecisionRecord[]>;

  constructor(real: EmbeddedLedger, durable: Map<string, DecisionRecord[]>) {
    this.real = real;
    this.#durable = durable;
  }

  commit(entries: readonly Entry[]): readonly CommitResult[] {
    const { mood } = this;
    this.mood = "well";
    const failed = { outcome: "not_durable", error: "the disk failed" } as const;
    switch (mood) {
      case "refuses":
        return entries.map((entry) => {
          entry.record(null);
          return failed;
        });
      case "writes and reports an error":
        this.#write(entries);
        return entries.map(() => failed);
      case "takes the first half": {
        const half = entries.length >> 1;
        return [...this.#write(entries.slice(0, half)), ...entries.slice(half).map(() => failed)];
      }
      case "well":
        return this.#write(entries);
    }
  }

  appendControl(record: ControlRecord): AppendResult {
    return this.real.appendControl(record);
  }

  decidedCall(session: string, call: Parameters<Ledger["decidedCall"]>[1]): number | null {
    return this.real.decidedCall(session, call);
  }

  remembersSession(session: string): boolean {
    return this.real.remembersSession(session);
  }

  findDecision(ask: ResendQuestion): FoundDecision | null {
    const found = this.real.findDecision(ask);
    return found === null || this.canRead ? found : { same: false, error: "the disk failed" };
  }

  close(): void {
    this.real.close();
  }

  #write(entries: readonly Entry[]): readonly CommitResult[] {
    const records = new Map<number, DecisionRecord>();
    const noting = entries.map(
      (entry, index): Entry => ({
        plan: entry.plan,
        record: (settled) => {
          const record = entry.record(settled);
          if (record !== null) records.set(index, record);
          return record;
        },
      }),
    );
    const results = this.real.commit(noting);
    for (const [index, record] of records) {
      if (results[index]?.outcome !== "durable") continue;
      const key = questionKey(record.session, record.request);
      this.#durable.set(key, [...(this.#durable.get(key) ?? []), record]);
    }
    return results;
  }
}
