import type { DefinedRule } from "../../../rules/authoring.ts";
import type { PolicyDefinition } from "../../../rules/contracts/policy-definition.ts";
import { packs } from "../../../rules/packs/catalogue.ts";
import type { Pack, Surroundings, Tier } from "../../../rules/packs/pack.ts";
import { encodeValue } from "../../../wire/encode-value.ts";
import { type CommandResult, done } from "../../commands/command-result.ts";
import { ExitCode, Refusal } from "../../exit-codes.ts";
import { safeName } from "../../operator/display/safe-text.ts";

/** What the packs are shown for: which rules they have depends on no folder. */
const anywhere: Surroundings = Object.freeze({ roots: ["~"], directory: null, allowHosts: [] });

const all = (): readonly Pack[] => Object.values(packs) as readonly Pack[];

interface Contents {
  readonly rules: readonly DefinedRule[];
  readonly policies: readonly PolicyDefinition[];
}

const contentsOf = (pack: Pack, tier: Tier): Contents | null => {
  const options = pack.tiers[tier];
  if (options === null) return null;
  return { rules: pack.rules(options, anywhere), policies: pack.policies?.(options, anywhere) ?? [] };
};

/** `interlock rules packs list`: the standard packs, and what the tiers take of them. */
export const listPacks = (): CommandResult => {
  const told = all().map((pack) => {
    const [starter, strict] = [contentsOf(pack, "starter"), contentsOf(pack, "strict")];
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
  const options = Object.entries(pack.options).map(([name, note]) => ({ name, ...note }));
  const rules = (["starter", "strict"] as const).map((tier) => ({
    tier,
    ...(contentsOf(pack, tier) ?? { rules: [], policies: [] }),
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
        "options",
        options.map(({ name, what, starter, strict }) => `${name}: ${what} (starter ${starter}, strict ${strict})`),
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

const maxActionsShown = 6;

const actionsLine = (actions: readonly string[]): string =>
  actions.length <= maxActionsShown
    ? actions.join(", ")
    : `${actions.slice(0, maxActionsShown).join(", ")} and ${actions.length - maxActionsShown} more`;

const section = (name: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${name}`, ...lines.map((line) => `  ${line}`)];

/** `interlock rules packs explain RULE`: the rule that a reason or a receipt named, and what it says of its examples. */
export const explainRule = (rule: string): CommandResult => {
  for (const pack of all()) {
    for (const tier of ["starter", "strict"] as const) {
      const found = contentsOf(pack, tier)?.rules.find(({ id }) => id === rule);
      if (found === undefined) continue;
      const { title, stops, tune } = pack.notes;
      const examples = found.examples.map(({ event, expect }) => ({
        expect,
        action: event.action,
        args: encodeValue(event.args),
      }));
      return done(
        [
          `${rule}: a rule of the pack ${pack.id} (${title}), phase ${found.phase}`,
          ...section("actions", [actionsLine(found.actions)]),
          ...section("the pack stops", stops),
          ...section("tune", tune),
          ...section(
            "examples",
            examples.map(({ expect, action, args }) => `${expect}: ${action} ${shortened(JSON.stringify(args))}`),
          ),
        ],
        { rule, pack: pack.id, phase: found.phase, actions: found.actions, stops, tune, examples },
      );
    }
  }
  throw new Refusal(
    ExitCode.refused,
    `no standard pack has a rule ${safeName(rule)}; \`interlock rules packs show PACK\` lists them`,
  );
};

const maxExampleCharacters = 160;

const shortened = (text: string): string =>
  text.length <= maxExampleCharacters ? text : `${text.slice(0, maxExampleCharacters)}...`;

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
