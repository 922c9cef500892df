import type { WireObject, WireValue } from "../../../wire/value.ts";
import type { DefinedRule } from "../../authoring.ts";
import { type StandardOptions, standardPacks } from "../standard.ts";

/** The rules of this pack alone, as a rule set has them. */
export const pathRules = (options: Partial<StandardOptions> = {}): readonly DefinedRule[] =>
  standardPacks({ roots: ["/srv/app"], directory: "/srv/app", ...options }).rules.filter(({ id }) =>
    id.startsWith("paths."),
  );

/** The strictest answer of these rules to one call: "block", "escalate", "allow", or undefined where all are silent. */
export const answerOf = async (
  rules: readonly DefinedRule[],
  action: string,
  args: Record<string, WireValue>,
): Promise<string | undefined> => {
  const event = {
    action,
    args: frozen(args) as WireObject,
    phase: "call",
    principal: null,
    parent_principal: null,
  } as const;
  let kind: string | undefined;
  for (const rule of rules) {
    const answer = await rule.evaluate(
      { ...event, span_id: null, ts: 0 },
      { now_ms: 0, lookup: async () => undefined },
    );
    if (answer?.kind === "block") return "block";
    if (answer !== undefined && kind !== "escalate") kind = answer.kind;
  }
  return kind;
};

const frozen = (value: WireValue): WireValue => {
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) {
    for (const inner of Object.values(value)) frozen(inner);
    Object.freeze(value);
  }
  return value;
};
