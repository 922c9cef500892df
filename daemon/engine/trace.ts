import type { FactSeen } from "../contracts/contract.ts";
import type { PolicyAnswer } from "../contracts/policy.ts";
import type { GateAnswer } from "./judgement.ts";
import type { IndexedRule, Matches } from "./rule-index.ts";

/** `rules/<id>:REWRITE` stands beside the four gate answers: a rule that rewrote and let the call go on. */
type RuleTraceAnswer = keyof IndexedRule["trace"];

/**
 * The ordered list of what each gate and rule answered, written as JSON text while it happens. Rules that had no
 * opinion are the common case: their text is made once for each action (`Matches.silence`) and copied whole.
 */
export class Trace {
  #text = "[";
  #matches: Matches | null = null;
  /** Rules of the current pass that are already in the text. */
  #written = 0;

  gate(name: string, answer: GateAnswer): void {
    this.#add(`"${name}:${answer}"`);
  }

  /** A gate that looked at a transactional call, with the time that it took. */
  timedGate(name: string, answer: GateAnswer, duration_ms: number): void {
    this.#add(`"${name}:${answer};us=${Math.max(0, Math.round(duration_ms * 1000))}"`);
  }

  /** What was seen of what a tool does; SHADOW_DENY: it is only told. Names are the code's own. */
  watched(name: string, answer: GateAnswer | "SHADOW_DENY"): void {
    this.#add(`"${name}:${answer}"`);
  }

  /** What one policy said; `id` is a checked name of a signed set. */
  policy(id: string, answer: PolicyAnswer): void {
    this.#add(JSON.stringify(`policy/${id}:${answer}`));
  }

  /** What one template of the scope document said: `scope/<template>`; `id` is its policy's, `scope:<template>`. */
  scope(id: string, answer: PolicyAnswer): void {
    this.#add(JSON.stringify(`${id.replace(":", "/")}:${answer}`));
  }

  /** What a resolver told, by its digest, and how old it was: never the fact itself. */
  fact({ resolver, digest, age_ms }: FactSeen): void {
    this.#add(JSON.stringify(`evidence/${resolver}:SEEN;sha256=${digest};age_ms=${Math.round(age_ms)}`));
  }

  /** A further pass over the rewritten call. */
  pass(number: number): void {
    this.#add(`"pass:${number}"`);
  }

  /** The rules begin. */
  begin(matches: Matches): void {
    this.#matches = matches;
    this.#written = 0;
  }

  /** What the rule at `position` of this pass answered; those before it that were not named had no opinion. */
  rule(position: number, answer: RuleTraceAnswer): void {
    this.silentUntil(position);
    this.#add((this.#matches as Matches).rules[position]?.trace[answer] as string);
    this.#written = position + 1;
  }

  silentUntil(position: number): void {
    const matches = this.#matches as Matches;
    if (this.#written === 0) {
      if (position > 0) this.#add(matches.silence[position] as string);
    } else {
      for (let i = this.#written; i < position; i++) this.#add(matches.rules[i]?.trace.SKIP as string);
    }
    this.#written = position;
  }

  toJson(): string {
    return `${this.#text}]`;
  }

  #add(entry: string): void {
    this.#text = this.#text.length === 1 ? `[${entry}` : `${this.#text},${entry}`;
  }
}
