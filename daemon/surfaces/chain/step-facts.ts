import { createHash } from "node:crypto";
import { hostKind } from "../../../rules/network/host-name.ts";
import { secretName } from "../../../rules/packs/secrets/names.ts";
import { protectedBy } from "../../../rules/paths/place.ts";
import { credentials } from "../../../rules/paths/protected/credentials.ts";
import { destinationsOf } from "../../../rules/scan/destinations.ts";
import { textsOf } from "../../../rules/scan/texts.ts";
import { canonical } from "../../../wire/canonical.ts";
import { type DataClass, dataClasses, type Externality, type PlannedStep } from "./plan.ts";
import { type ChainEffect, classesOfName, effectsOfName, effectWords } from "./vocabulary.ts";

/** What a step does, by its own word, by its tool's name and by its arguments: whichever says most. */
export interface StepFacts {
  readonly effects: ReadonlySet<ChainEffect>;
  readonly classes: ReadonlySet<DataClass>;
  readonly externality: Externality;
  /** `sha256:<hex>` of the JCS bytes of the arguments. */
  readonly argument_hash: string;
}

export const stepFacts = (step: PlannedStep): StepFacts => {
  const effects = new Set(step.effects.map((word) => effectWords.get(word) as ChainEffect));
  for (const effect of effectsOfName(step.tool_name)) effects.add(effect);
  if (effects.size === 0) effects.add("read");
  const classes = new Set<DataClass>([...step.data_classes, ...inferred(step)]);
  return {
    effects,
    classes,
    externality: externalityOf(step, effects),
    argument_hash: `sha256:${createHash("sha256").update(canonical(step.arguments)).digest("hex")}`,
  };
};

const inferred = ({ tool_name, arguments: args }: PlannedStep): readonly DataClass[] => {
  const named = dataClasses.filter((kind) => classesOfName(tool_name).includes(kind));
  return readsSecret(tool_name, args) ? [...named, "secrets"] : named;
};

const protecting = { sets: [credentials], allowed: new Set<string>() };

/** Is a file of credentials named, or is the tool called after a secret? */
export const readsSecret = (tool: string, args: PlannedStep["arguments"]): boolean =>
  secretName(tool) !== null ||
  textsOf(args).texts.some(
    ({ kind, text }) =>
      kind === "value" &&
      protectedBy({ text, uses: ["read"], directory: null, isShell: false, follows: false }, protecting) !== null,
  );

/** More than are looked at, or one that leaves: it leaves. A plan's `internal` holds only where no argument names a place. */
const externalityOf = (
  { arguments: args, externality }: PlannedStep,
  effects: ReadonlySet<ChainEffect>,
): Externality => {
  const found = destinationsOf(args, 1);
  if (!found.ok || [...found.destinations].some(leaves)) return "external";
  if (externality !== "unknown") return externality;
  return effects.has("external") ? "external" : "unknown";
};

/** A name without a dot may be a channel's: what the plan says of it holds. */
const leaves = (destination: string): boolean => {
  const host = destination.slice(destination.lastIndexOf("@") + 1);
  if (!host.includes(".") && !host.startsWith("[")) return false;
  const kind = hostKind(host);
  return kind === "public" || kind === "wildcard_dns" || kind === "reserved";
};
