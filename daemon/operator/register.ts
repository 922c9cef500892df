import { type OperatorsFile, operatorsFileIn, readOperators } from "./operators-file.ts";
import { OperatorRefused } from "./refusal.ts";
import { sameDigest, tokenDigest } from "./token.ts";

/** Somebody who has shown the token of an operator. */
export interface Operator {
  readonly name: string;
  readonly roles: readonly string[];
}

const howToAdd = "run interlock operators add NAME";

/** Who may decide, as operators.json says it now: an operator that was removed is refused with the next request. */
export class OperatorRegister {
  readonly #path: string;
  #known: OperatorsFile | null = null;

  constructor(state: string) {
    this.#path = operatorsFileIn(state);
  }

  /** What was read last; null before anything was. */
  get known(): OperatorsFile | null {
    return this.#known;
  }

  /** Throws OperatorRefused: `no_operators`, `not_an_operator`, `operators_refused`. */
  identify(token: string): Operator {
    this.#known = readOperators(this.#path, this.#known);
    const { operators } = this.#known;
    if (operators.length === 0) throw new OperatorRefused("no_operators", `nobody may decide here yet; ${howToAdd}`);
    const digest = tokenDigest(token);
    // Every one is compared, whichever matches.
    const [found] = operators.filter(({ token_sha256 }) => sameDigest(token_sha256, digest));
    if (found === undefined) {
      throw new OperatorRefused("not_an_operator", `the token belongs to no operator of this daemon; ${howToAdd}`);
    }
    return Object.freeze({ name: found.name, roles: found.roles });
  }
}
