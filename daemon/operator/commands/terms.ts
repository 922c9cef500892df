import type { ApprovalScope } from "../../contracts/policy.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";

/** What a grant is for, as it is typed: `once`, `exact`, `shape:customer,currency`. Throws Refusal. */
export const scopeOf = (text: string): ApprovalScope => {
  if (text === "once" || text === "exact") return { kind: text };
  if (text.startsWith("shape:") && text.length > "shape:".length) {
    return { kind: "shape", paths: text.slice("shape:".length).split(",") };
  }
  throw new Refusal(
    ExitCode.refused,
    "--scope is once, exact, or shape: and the arguments that stay equal (shape:customer,currency)",
  );
};

const unit_s: Readonly<Record<string, number>> = Object.freeze({ s: 1, m: 60, h: 3600, d: 86_400 });
const spanPattern = /^([1-9][0-9]{0,6})([smhd])$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Until when, in seconds since 1970, as it is typed: for so long (`30m`, `2h`, `7d`), or a time with its zone
 * (`2027-01-01T12:00Z`). Null: as long as the policy says. Throws Refusal.
 */
export const untilOf = (text: string | null, now_ms: number): number | null => {
  if (text === null) return null;
  const [, count, unit] = spanPattern.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) {
    return Math.floor(now_ms / 1000) + Number(count) * (unit_s[unit] as number);
  }
  const time_ms = timePattern.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time_ms)) return Math.floor(time_ms / 1000);
  throw new Refusal(ExitCode.refused, "--until is a span (30m, 2h, 7d) or a time with its zone (2027-01-01T12:00Z)");
};

/** How many, as it is typed. Throws Refusal. */
export const limitOf = (text: string, most: number): number => {
  const limit = /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= most) return limit;
  throw new Refusal(ExitCode.refused, `--limit is a number from 1 to ${most}`);
};
