import type { DefinedRule } from "../../../rules/authoring.ts";
import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import { packs } from "../../../rules/packs/catalogue.ts";
import type { OptionNote, Pack, Surroundings, Tier } from "../../../rules/packs/pack.ts";
import { encodeValue } from "../../../wire/encode-value.ts";
import type { Phase } from "../../../wire/event.ts";
import type { WireValue } from "../../../wire/value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { safeName } from "../../operator/display/safe-text.ts";
import { selfId } from "../self/self-id.ts";

/** What the packs are shown for: which rules they have depends on no folder. */
const anywhere: Surroundings = Object.freeze({ roots: ["~"], directory: null, allowHosts: [] });

const all = (): readonly Pack[] => Object.values(packs) as readonly Pack[];

interface Contents {
  readonly rules: readonly DefinedRule[];
  readonly policies: readonly PolicyDefinition[];
}

const contentsOf = (pack: Pack, options: object | null): Contents | null =>
  options === null
    ? null
    : { rules: pack.rules(options, anywhere), policies: pack.policies?.(options, anywhere) ?? [] };

/** `interlock rules packs list`: the standard packs, and what the tiers take of them. */
export const listPacks = (): CommandResult => {
  const told = all().map((pack) => {
    const [starter, strict] = [contentsOf(pack, pack.tiers.starter), contentsOf(pack, pack.tiers.strict)];
    return { id: pack.id, title: pack.notes.title, starter: countOf(starter), strict: countOf(strict) };
  });
  return done(
    told.map(({ id, title, starter, strict }) => `${id.padEnd(10)} ${title} (starter: ${starter}, strict: ${strict})`),
    { packs: told },
  );
};

const countOf = (contents: Contents | null): string => {
  if (contents === null) return "off";
  const { rules, policies } = contents;
  const counts = [counted(rules.length, "rule", "rules"), counted(policies.length, "policy", "policies")];
  return counts.filter((count) => count !== "").join(", ") || "nothing until it has options";
};

const counted = (count: number, one: string, several: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : several}`;

/** `interlock rules packs show ID`: what it stops, what it cannot, its options by tier, its rules. */
export const showPack = (id: string): CommandResult => {
  const pack = packOf(id);
  const { title, stops, cannot, tune } = pack.notes;
  const options = optionsOf(pack);
  const rules = (["starter", "strict"] as const).map((tier) => ({
    tier,
    ...(contentsOf(pack, pack.tiers[tier]) ?? { rules: [], policies: [] }),
  }));
  const told = rules.map(({ tier, rules: of, policies }) => ({
    tier,
    rules: of.map(({ id: rule, phase, actions, examples }) => ({
      id: rule,
      phase,
      actions,
      examples: examples.length,
    })),
    policies: policies.map((policy) => policy.id),
  }));
  return done(
    [
      `${pack.id}: ${title}`,
      ...section("stops", stops),
      ...section("cannot", cannot),
      ...section("tune", tune),
      ...section(
        `options, in the rule set: standardPacks({ roots, packs: { ${pack.id}: { ... } } })`,
        options.flatMap(({ name, what, takes, starter, strict }) => [
          `${name}: ${what}`,
          `  takes ${takes} (starter ${starter}, strict ${strict})`,
        ]),
      ),
      ...told.flatMap(({ tier, rules: of, policies }) =>
        section(tier, [
          ...of.map(
            (rule) =>
              `${rule.id} (${rule.phase}): ${actionsLine(rule.actions)}; ${counted(rule.examples, "example", "examples")}`,
          ),
          ...policies.map((policy) => `policy ${policy}`),
        ]),
      ),
    ],
    { id: pack.id, title, stops, cannot, tune, options, tiers: told },
  );
};

const optionsOf = (pack: Pack) =>
  (Object.entries(pack.options) as readonly (readonly [string, OptionNote])[]).map(([name, { what, takes }]) => ({
    name,
    what,
    takes: takes.takes,
    starter: valueIn(pack, "starter", name),
    strict: valueIn(pack, "strict", name),
  }));

/** As it would be written in a rule set. */
const valueIn = (pack: Pack, tier: Tier, name: string): string => {
  const options = pack.tiers[tier];
  return options === null ? "off" : written((options as Readonly<Record<string, unknown>>)[name]);
};

const written = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${written(inner)}`)
    .join(", ")} }`;
};

const maxActionsShown = 6;

const actionsLine = (actions: readonly string[]): string =>
  actions.length <= maxActionsShown
    ? actions.join(", ")
    : `${actions.slice(0, maxActionsShown).join(", ")} and ${actions.length - maxActionsShown} more`;

const section = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${name}`, ...lines.map((line) => `  ${line}`)];

/** `interlock rules packs explain RULE`: the rule or policy that a reason or a receipt named, and what it says of its examples. */
export const explainRule = (id: string): CommandResult => {
  for (const pack of all())
    for (const options of [pack.tiers.starter, pack.tiers.strict, pack.whenTakenIn ?? null]) {
      const { rules, policies } = contentsOf(pack, options) ?? { rules: [], policies: [] };
      const rule = rules.find((one) => one.id === id);
      if (rule !== undefined) {
        const examples = rule.examples.map(({ event, expect }) => ({ ...event, expect }));
        return explained(pack, { id, kind: "rule", phase: rule.phase, actions: rule.actions, examples });
      }
      const policy = policies.find((one) => one.id === id);
      if (policy !== undefined) {
        const examples = (policy.examples ?? []).map(({ action, args, roles, expect }) => ({
          action: action ?? (policy.tools[0] as string),
          args,
          expect: roles === undefined ? expect : `${expect} with the roles ${JSON.stringify(roles)}`,
        }));
        return explained(pack, { id, kind: "policy", phase: "call", actions: policy.tools, examples });
      }
    }
  const maker = all().find((pack) => id.startsWith(`${pack.id}.`));
  throw new Refusal(
    ExitCode.refused,
    id.startsWith(`${selfId}.`)
      ? `${safeName(id)} keeps the daemon, its keys and its files from the agent; it is in no rule set, and nothing switches it off`
      : maker !== undefined
        ? `no tier has a rule ${safeName(id)}; \`interlock rules packs show ${maker.id}\` lists those that there are, and the options that make further ones`
        : `no standard pack has a rule ${safeName(id)}; \`interlock rules packs list\` lists the packs, \`interlock rules list FILE\` what is in a rule set of your own`,
  );
};

interface Explained {
  readonly id: string;
  readonly kind: "rule" | "policy";
  readonly phase: Phase;
  readonly actions: readonly string[];
  readonly examples: readonly { readonly action: string; readonly args: WireValue; readonly expect: string }[];
}

const explained = (pack: Pack, { id, kind, phase, actions, examples }: Explained): CommandResult => {
  const { title, stops, tune } = pack.notes;
  const told = examples.map(({ action, args, expect }) => ({ expect, action, args: encodeValue(args) }));
  return done(
    [
      `${id}: a ${kind} of the pack ${pack.id} (${title}), phase ${phase}`,
      ...section("actions", [actionsLine(actions)]),
      ...section("the pack stops", stops),
      ...section("tune", [...tune, `All options: interlock rules packs show ${pack.id}`]),
      ...section(
        "examples",
        told.map(({ expect, action, args }) => `${expect}: ${action} ${shortened(JSON.stringify(args))}`),
      ),
    ],
    { rule: id, kind, pack: pack.id, phase, actions, stops, tune, examples: told },
  );
};

const maxExampleCharacters = 160;

const shortened = (text: string): string =>
  text.length <= maxExampleCharacters ? text : `${text.slice(0, maxExampleCharacters)} (cut)`;

const packOf = (id: string): Pack => {
  const pack = all().find((known) => known.id === id);
  if (pack !== undefined) return pack;
  throw new Refusal(
    ExitCode.refused,
    `no pack ${safeName(id)}; there are ${all()
      .map((known) => known.id)
      .join(", ")}`,
  );
};
