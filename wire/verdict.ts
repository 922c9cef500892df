/** What the client is told. The integers are the wire's (v1: 0, 1, 2; 3 is the published value for escalation). */
export const Verdict = Object.freeze({ ALLOW: 0, BLOCK: 1, MODIFY: 2, ESCALATE: 3 });
export type VerdictName = keyof typeof Verdict;
export type Verdict = (typeof Verdict)[VerdictName];

const names: readonly VerdictName[] = Object.freeze(["ALLOW", "BLOCK", "MODIFY", "ESCALATE"]);

export const verdictName = (verdict: Verdict): VerdictName => names[verdict] as VerdictName;
