import type {
  AppendResult,
  ControlRecord,
  DecisionRecord,
  FoundDecision,
  Ledger,
  OpenLedger,
  ResendQuestion,
} from "../../daemon/ledger/record.ts";

/** What the disk does with the next group. */
export type DiskMood = "well" | "refuses" | "writes and reports an error" | "takes the first half";

export const questionKey = (session: string | null, request: string): string => `${session} ${request}`;

/** A real ledger behind a disk that fails when it is told to. Notes what is durable, whatever was reported of it. */
export class FailingLedger implements Ledger {
  readonly real: OpenLedger;
  mood: DiskMood = "well";
  canRead = true;
  readonly #durable: Map<string, DecisionRecord[]>;

  constructor(real: OpenLedger, durable: Map<string, DecisionRecord[]>) {
    this.real = real;
    this.#durable = durable;
  }

  append(records: readonly DecisionRecord[]): readonly AppendResult[] {
    const { mood } = this;
    this.mood = "well";
    const failed = { durable: false, error: "the disk failed" } as const;
    switch (mood) {
      case "refuses":
        return records.map(() => failed);
      case "writes and reports an error":
        this.#write(records);
        return records.map(() => failed);
      case "takes the first half": {
        const half = records.length >> 1;
        return [...this.#write(records.slice(0, half)), ...records.slice(half).map(() => failed)];
      }
      case "well":
        return this.#write(records);
    }
  }

  appendControl(record: ControlRecord): AppendResult {
    return this.real.appendControl(record);
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

  #write(records: readonly DecisionRecord[]): readonly AppendResult[] {
    const results = this.real.append(records);
    for (const [index, record] of records.entries()) {
      if (results[index]?.durable !== true) continue;
      const key = questionKey(record.session, record.request);
      this.#durable.set(key, [...(this.#durable.get(key) ?? []), record]);
    }
    return results;
  }
}
