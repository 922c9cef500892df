import type { PolicyDefinition, PolicyExample } from "../../rules/contracts/policy-definition.ts";
import type { SensorEvent } from "../../wire/event.ts";
import type { IndexedRule, RuleIndex } from "../engine/rule-index.ts";
import type { LoadedRuleSet } from "../rulesets/loaded.ts";

/** Who the doctor's calls say they are from: told apart in the receipts. */
export const doctorPrincipal = "interlock-doctor";

/** A call that must be blocked. */
export interface DoctorProbe {
  /** What must block it, for the line that says so. */
  readonly by: string;
  readonly call: Pick<SensorEvent, "action" | "args" | "phase" | "parent_principal">;
  /** Put as each in turn, until one is blocked. */
  readonly principals: readonly (string | null)[];
  /** The daemon's own rules prove nothing of the configured ones. */
  readonly isConfigured: boolean;
}

/** Blocking examples of rules and denying ones of policies, and for each tool an argument that no contract lets through. */
export const probesOf = ({ rules, loaded }: RuleIndex): readonly DoctorProbe[] => [
  ...rules.flatMap(ruleProbe),
  ...loaded.sets.flatMap((set) => [
    ...set.tools.map(({ name }) => toolProbe(name, set)),
    ...set.policies.flatMap((policy) => policyProbe(policy, set)),
  ]),
];

/** Facts an example is given cannot travel; one that needs them proves nothing here. */
const ruleProbe = ({ rule, set }: IndexedRule): readonly DoctorProbe[] => {
  const example = rule.examples.find(({ expect, given }) => expect === "block" && given === undefined);
  if (example === undefined) return [];
  const { action, args, principal, parent_principal = null } = example.event;
  return [
    {
      by: rule.id,
      call: { action, args, phase: rule.phase, parent_principal },
      // A rule may block just those who do not say who they are: then the example is put as it stands.
      principals: principal === undefined ? [doctorPrincipal, null] : [principal],
      isConfigured: set.origin !== null,
    },
  ];
};

const toolProbe = (name: string, { origin }: LoadedRuleSet): DoctorProbe => ({
  by: `the contract of ${name}`,
  call: { action: name, args: { interlock_doctor: true }, phase: "call", parent_principal: null },
  // Whoever asks: a connection that is bound may speak for nobody else, and says nothing.
  principals: [doctorPrincipal, null],
  isConfigured: origin !== null,
});

/** Neither a time nor a shadow can be put to a daemon. */
const policyProbe = (
  { id, tools, shadow, examples = [] }: PolicyDefinition,
  { origin }: LoadedRuleSet,
): readonly DoctorProbe[] => {
  const isPut = ({ expect, at }: PolicyExample): boolean => expect === "deny" && at === undefined;
  const example = shadow === true ? undefined : examples.find(isPut);
  if (example === undefined) return [];
  const { action = tools[0] as string, args, principal } = example;
  return [
    {
      by: `policy ${id}`,
      call: { action, args, phase: "call", parent_principal: null },
      principals: principal === undefined ? [doctorPrincipal, null] : [principal],
      isConfigured: origin !== null,
    },
  ];
};
