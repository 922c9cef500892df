import type { Attack } from "./attack.ts";
import type { Outcome } from "./run-attack.ts";

/**
 * `blocked`: there was no effect, and the program was told. `declared`: it names a limit that the documents declare.
 * `open`: anything else that works unguarded, also an attack that merely comes to nothing without a word.
 * `impossible`: it does not work on this Node unguarded either, so that it proves nothing and is not counted.
 */
export type Verdict = "blocked" | "declared" | "open" | "impossible";

export interface Result {
  readonly attack: Attack;
  readonly verdict: Verdict;
  /** Why it is open; empty otherwise. */
  readonly why: string;
  readonly said: string;
}

export const judge = (attack: Attack, control: Outcome, guarded: Outcome): Result => {
  const result = (verdict: Verdict, why = "", { said } = guarded): Result => ({ attack, verdict, why, said });
  if (!control.hadEffect) return result("impossible", "", control);
  if (!guarded.hadEffect && guarded.wasTold && !guarded.isLate) return result("blocked");
  if (attack.limit !== null) return result("declared");
  if (guarded.hadEffect) return result("open", "it worked");
  return result("open", guarded.isLate ? "it hung" : "nothing happened, and the program was not told");
};

export interface Score {
  readonly total: number;
  readonly blocked: number;
  readonly declared: number;
  readonly open: number;
}

export const scoreOf = (results: readonly Result[]): Score => {
  const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
  const [blocked, declared, open] = [count("blocked"), count("declared"), count("open")];
  return { total: blocked + declared + open, blocked, declared, open };
};

/** One line an attack: `blocked   imports  read  named import`. */
export const lineOf = ({ attack, verdict, why }: Result): string =>
  [
    verdict.padEnd("impossible".length),
    attack.family.padEnd(14),
    attack.target.padEnd(5),
    `${attack.name}${verdict === "declared" ? ` (${attack.limit})` : ""}${why === "" ? "" : `: ${why}`}`,
  ].join("  ");
