import type { TaintClass } from "../../config/settings.ts";

/** What each session has read that may not leave: a label for a class, never what it was. Gone with its session. */
export class SessionLabels {
  readonly #of = new WeakMap<object, Set<TaintClass>>();

  has(session: object, label: TaintClass): boolean {
    return this.#of.get(session)?.has(label) === true;
  }

  add(session: object, label: TaintClass): void {
    const labels = this.#of.get(session);
    if (labels === undefined) this.#of.set(session, new Set([label]));
    else labels.add(label);
  }
}
