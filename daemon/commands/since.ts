import { ExitCode, Refusal } from "../exit-codes.ts";
import type { Since } from "../ledger/recorded-calls.ts";

const unit_ms: Readonly<Record<string, number>> = Object.freeze({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 });

/** Since when, as it is typed: for so long (`90m`, `12h`, `7d`), or from a receipt's number on. Throws Refusal. */
export const sinceOf = (text: string | null, now_ms: number): Since => {
  if (text === null) return { seq: 1 };
  const [, count, unit] = /^([1-9][0-9]{0,15})([smhd]?)$/.exec(text) ?? [];
  if (count === undefined) {
    throw new Refusal(ExitCode.refused, "--since is a span (90m, 12h, 7d) or a receipt's number");
  }
  return unit === undefined || unit === ""
    ? { seq: Number(count) }
    : { time_ms: now_ms - Number(count) * (unit_ms[unit] as number) };
};
