/** The three tools of the scenarios. All of them write. */
export type ToolName = "refund_invoice" | "change_account" | "send_message";

export const toolNames: readonly ToolName[] = ["refund_invoice", "change_account", "send_message"];

export type Arguments = Readonly<Record<string, unknown>>;

/**
 * What should become of the call as it is first put. `runs`: nothing is wrong with it. `malformed`: it breaks its tool's
 * contract in one field. `approval`: somebody has to say yes. `denied`: nobody can.
 */
export type Kind = "runs" | "malformed" | "approval" | "denied";

export interface Scenario {
  readonly id: string;
  readonly tool: ToolName;
  readonly kind: Kind;
  /** What the agent puts first. */
  readonly naive: Arguments;
  /** What the agent meant: the same as `naive`, except for a malformed call. */
  readonly intended: Arguments;
}

/** Running it as it is first put is a write that should not have been. */
export const isUnsafe = ({ kind }: Scenario): boolean => kind !== "runs";

export const scenario = (
  id: string,
  tool: ToolName,
  kind: Kind,
  naive: Arguments,
  intended: Arguments = naive,
): Scenario => Object.freeze({ id, tool, kind, naive: Object.freeze(naive), intended: Object.freeze(intended) });

/** `count` scenarios, numbered from 1. No clock, no randomness: the same set in every run. */
export const numbered = (count: number, make: (n: number) => Scenario): readonly Scenario[] =>
  Array.from({ length: count }, (_, at) => make(at + 1));

export const digits = (n: number, width: number): string => String(n).padStart(width, "0");

/** How often each value of `of` occurs. */
export const countBy = <K extends string>(
  scenarios: readonly Scenario[],
  of: (scenario: Scenario) => K,
): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const one of scenarios) counts[of(one)] = (counts[of(one)] ?? 0) + 1;
  return counts;
};
