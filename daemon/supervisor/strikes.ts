/** How often, and how lately: the bounds within which the supervisor goes on restarting the engine. */
export const maxOverrunsPerMinute = 3;
export const maxEngineRestartsPerMinute = 10;
export const maxRememberedOverruns = 1024;
const minute_ms = 60_000;

/**
 * What earlier engines died of, carried to the next one: requests that made a rule overrun are not run again, a rule
 * that overran three times in a minute is suspended, and an engine that keeps ending is not restarted for ever.
 * Forgotten when the rules are reloaded: the reload is the mend.
 */
export class Strikes {
  readonly #overrunsByRule = new Map<string, number[]>();
  readonly #digests = new Set<string>();
  readonly #suspended = new Set<string>();
  #restarts: number[] = [];

  /** @returns true when this overrun suspends the rule. */
  overran(ruleId: string, requestDigest: string, now_ms: number): boolean {
    if (this.#digests.size >= maxRememberedOverruns) {
      const oldest = this.#digests.values().next().value;
      if (oldest !== undefined) this.#digests.delete(oldest);
    }
    this.#digests.add(requestDigest);
    const lately = (this.#overrunsByRule.get(ruleId) ?? []).filter((at_ms) => now_ms - at_ms < minute_ms);
    lately.push(now_ms);
    this.#overrunsByRule.set(ruleId, lately);
    if (lately.length < maxOverrunsPerMinute || this.#suspended.has(ruleId)) return false;
    this.#suspended.add(ruleId);
    return true;
  }

  /** @returns true while the engine may be restarted to serve; false when it may only be restarted to block. */
  restarted(now_ms: number): boolean {
    this.#restarts = this.#restarts.filter((at_ms) => now_ms - at_ms < minute_ms);
    this.#restarts.push(now_ms);
    return this.#restarts.length <= maxEngineRestartsPerMinute;
  }

  forgive(): void {
    this.#overrunsByRule.clear();
    this.#digests.clear();
    this.#suspended.clear();
    this.#restarts = [];
  }

  get suspended(): readonly string[] {
    return [...this.#suspended];
  }

  get overranDigests(): readonly string[] {
    return [...this.#digests];
  }
}
