import type { Phase } from "../../wire/event.ts";
import type { WireValue } from "../../wire/value.ts";
import type { DefinedRule } from "../authoring.ts";
import type { PolicyDefinition } from "../contracts/policy-definition.ts";
import type { Finding } from "./finding.ts";
import type { OptionKind } from "./option-kind.ts";

/** The standard packs, in the order in which their rules are asked. */
export type PackId =
  | "commands"
  | "paths"
  | "network"
  | "secrets"
  | "pii"
  | "injection"
  | "database"
  | "code"
  | "templates"
  | "limits"
  | "roles";

/** `starter` stops what is wrong without asking about daily work; `strict` asks about more. */
export type Tier = "starter" | "strict";

/** What every pack knows of the place that it guards. */
export interface Surroundings {
  /** Folders that files may be read and written in; `~` is the home of the daemon's user. */
  readonly roots: readonly string[];
  /** Where the guarded program runs: what its relative paths mean. Null: not known. */
  readonly directory: string | null;
  /** Hosts that may be reached although they are of the private network, as a URL has them: `localhost:3000`. */
  readonly allowHosts: readonly string[];
}

export interface OptionNote<Value = unknown> {
  /** What it changes, one line. */
  readonly what: string;
  readonly takes: OptionKind<Value>;
}

/** What `interlock rules packs show` prints. Each line is a sentence for the person who decides whether to use the pack. */
export interface PackNotes {
  readonly title: string;
  readonly stops: readonly string[];
  /** What it lets pass although somebody might think otherwise. */
  readonly cannot: readonly string[];
  readonly tune: readonly string[];
}

/** A pack is a function from options to rules, with what a person has to know of it. Frozen. */
export interface Pack<Options extends object = object> {
  readonly id: PackId;
  readonly notes: PackNotes;
  readonly options: { readonly [Name in keyof Options]-?: OptionNote<Required<Options>[Name]> };
  /** Null: the tier does without it. */
  readonly tiers: Readonly<Record<Tier, Required<Options> | null>>;
  /** What a rule set that takes the pack in starts from, where its tier does without it. */
  readonly whenTakenIn?: Required<Options>;
  rules(options: Required<Options>, around: Surroundings): readonly DefinedRule[];
  /** Policies as data beside the rules. */
  policies?(options: Required<Options>, around: Surroundings): readonly PolicyDefinition[];
  /**
   * What it finds in a value that came (`result`) or is about to leave (`call`), for packs that look at text. A promise only where
   * something has to be loaded first.
   */
  scan?(value: WireValue, phase: Phase, options: Required<Options>): readonly Finding[] | Promise<readonly Finding[]>;
}

export const definePack = <Options extends object>(pack: Pack<Options>): Pack<Options> => Object.freeze(pack);
