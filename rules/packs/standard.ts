import type { DefinedRule } from "../authoring.ts";
import type { PolicyDefinition } from "../contracts/policy-definition.ts";
import { packs } from "./catalogue.ts";
import { checkStandardOptions } from "./check-options.ts";
import type { Pack, Surroundings, Tier } from "./pack.ts";

type Packs = typeof packs;
type OptionsOf<P> = P extends Pack<infer Options> ? Options : never;

export interface StandardOptions {
  /** Folders that files may be read and written in. */
  readonly roots: readonly string[];
  /** Where the guarded program runs: what its relative paths mean. Without it they are blocked. */
  readonly directory?: string;
  /** Hosts of the private network that may be reached all the same: `localhost:3000`. */
  readonly allowHosts?: readonly string[];
  readonly tier?: Tier;
  /** Options by pack, over those of the tier; `"off"` leaves a pack out; `{}` takes one in that the tier leaves out. */
  readonly packs?: { readonly [Id in keyof Packs]?: "off" | Partial<OptionsOf<Packs[Id]>> };
}

/** For `defineRules({ id, version, ...standardPacks({ roots }) })`. */
export interface StandardContents {
  readonly rules: readonly DefinedRule[];
  readonly policies: readonly PolicyDefinition[];
  readonly deadline_ms: number;
}

/** The first command loads a parser, and a result of 8 MiB is read whole: the default of 250 ms is short for both. */
const deadline_ms = 1_000;

/**
 * The rules and policies of the standard packs, in the order of the catalogue. docs/packs.md says what each stops. Throws
 * `RuleDefinitionError` for an option that does not exist, or a value that it does not take.
 */
export const standardPacks = (given: StandardOptions): StandardContents => {
  const all = Object.values(packs) as readonly Pack[];
  checkStandardOptions(given, all);
  const { roots, directory, allowHosts = [], tier = "starter", packs: chosen = {} } = given;
  const around: Surroundings = Object.freeze({ roots, directory: directory ?? null, allowHosts });
  const settings = chosen as Readonly<Record<string, "off" | object | undefined>>;
  const active = all.flatMap((pack) => {
    const own = settings[pack.id];
    const ofTier = pack.tiers[tier];
    if (own === "off" || (ofTier === null && own === undefined)) return [];
    return [{ pack, options: { ...(ofTier ?? pack.whenTakenIn), ...stated(own) } }];
  });
  return Object.freeze({
    rules: Object.freeze(active.flatMap(({ pack, options }) => pack.rules(options, around))),
    policies: Object.freeze(active.flatMap(({ pack, options }) => pack.policies?.(options, around) ?? [])),
    deadline_ms,
  });
};

const stated = (options: object = {}): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
