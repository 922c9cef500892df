import type { Case } from "./corpus.ts";
import type { Judge } from "./judge.ts";

export interface Wrong {
  readonly id: string;
  readonly kind: string;
  readonly expect: "held" | "passes";
  /** The rule that held what must pass; null where what must be held passed. */
  readonly rule: string | null;
  readonly never: string | null;
}

export interface Measured {
  readonly recall: number;
  readonly false_positive_rate: number;
  readonly n: number;
  readonly held: number;
  readonly passes: number;
  /** Microseconds a case, the median, each judged for the first time. */
  readonly p50_us: number;
  readonly wrong: readonly Wrong[];
}

/** Judges every case. A set without cases of one side has the rate 1 or 0 on it. */
export const measure = async (cases: readonly Case[], judge: Judge): Promise<Measured> => {
  const wrong: Wrong[] = [];
  const times_us: number[] = [];
  let held = 0;
  for (const { id, events, expect, kind, never } of cases) {
    const since_ms = performance.now();
    let rule: string | null = null;
    let isHeld = false;
    for (const event of events) {
      const judged = await judge(event);
      isHeld ||= judged.held;
      rule ??= judged.rule;
    }
    times_us.push((performance.now() - since_ms) * 1000);
    if (expect === "held") held++;
    if (isHeld !== (expect === "held")) wrong.push({ id, kind, expect, rule: isHeld ? rule : null, never });
  }
  const passes = cases.length - held;
  const missed = wrong.filter(({ expect }) => expect === "held").length;
  const falsely = wrong.length - missed;
  return {
    recall: held === 0 ? 1 : (held - missed) / held,
    false_positive_rate: passes === 0 ? 0 : falsely / passes,
    n: cases.length,
    held,
    passes,
    p50_us: median(times_us),
    wrong,
  };
};

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
