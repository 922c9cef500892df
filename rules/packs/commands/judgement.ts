import type { Effect } from "../../shell/effect.ts";
import type { Script } from "../../shell/script.ts";
import type { Surroundings } from "../pack.ts";
import type { CommandsOptions, Measure } from "./options.ts";

/** One thing against a command. The reason never holds a word of it. */
export interface Judgement {
  readonly measure: "block" | "escalate";
  readonly reason: string;
}

/** A command of a call, read, with what it does. */
export interface Judged {
  readonly script: Script;
  readonly effects: readonly Effect[];
}

export type Judge = (
  command: Judged,
  options: Required<CommandsOptions>,
  around: Surroundings,
) => readonly (Judgement | null)[];

export const judgement = (measure: Measure, reason: string): Judgement | null =>
  measure === "pass" ? null : { measure, reason };

type SystemWhat = Extract<Effect, { readonly kind: "system" }>["what"];

export const doesToSystem = ({ effects }: Judged, what: SystemWhat): boolean =>
  effects.some((effect) => effect.kind === "system" && effect.what === what);
