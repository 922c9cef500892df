import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type CommandArgument, holdsCommand, onceRead } from "../../shell/command-arguments.ts";
import type { Script } from "../../shell/script.ts";
import { effectsFor } from "../../shell/script-effects.ts";
import type { BlockAnswer, EscalateAnswer, RuleEvent } from "../../types.ts";
import type { Surroundings } from "../pack.ts";
import { type ExampleTexts, examplesOf } from "./examples.ts";
import type { Judge, Judgement } from "./judgement.ts";
import type { CommandsOptions } from "./options.ts";

const everyAction: readonly string[] = Object.freeze(["*"]);

type Answer = BlockAnswer | EscalateAnswer | undefined;

/** A rule that judges every command of a call; `unparseable` says what becomes of one that cannot be read. */
export const commandRule = (
  id: string,
  judge: Judge,
  options: Required<CommandsOptions>,
  around: Surroundings,
  examples: ExampleTexts,
  unparseable: Judgement | null = null,
): DefinedRule => {
  const worst = worstOnce(judge, options, around);
  return defineRule({
    id,
    actions: everyAction,
    phase: "call",
    evaluate(event) {
      // Most calls run no command: they cost one look at a name.
      return holdsCommand(event.action, event.args) ? evaluate(event, worst, unparseable) : undefined;
    },
    examples: examplesOf(examples),
  });
};

const evaluate = (
  { action, args }: RuleEvent,
  worst: WorstOf,
  unparseable: Judgement | null,
): Answer | Promise<Answer> =>
  onceRead(
    action,
    args,
    (commands) => worstOf(commands, worst),
    // Another rule of the pack holds it.
    () => (unparseable === null ? undefined : answerOf(unparseable, null)),
  );

/** What weighs most against one script; null where nothing does. */
type WorstOf = (script: Script) => Judgement | null;

/** A judge goes by the script, and by what is the same for all of a rule's life: a script that was read before is judged before. */
const worstOnce = (judge: Judge, options: Required<CommandsOptions>, around: Surroundings): WorstOf => {
  const known = new WeakMap<Script, Judgement | null>();
  return (script) => {
    const before = known.get(script);
    if (before !== undefined) return before;
    const found = judge({ script, effects: effectsFor(script) }, options, around).filter((one) => one !== null);
    const worst = found.find(({ measure }) => measure === "block") ?? found[0] ?? null;
    known.set(script, worst);
    return worst;
  };
};

const worstOf = (commands: readonly CommandArgument[], worst: WorstOf): Answer => {
  let softest: Answer;
  for (const { name, script } of commands) {
    const found = worst(script);
    if (found === null) continue;
    if (found.measure === "block") return answerOf(found, name);
    softest ??= answerOf(found, name);
  }
  return softest;
};

const answerOf = ({ measure, reason }: Judgement, name: string | null): BlockAnswer | EscalateAnswer => {
  const attributed = name === null ? {} : { attributedTo: name };
  return measure === "block" ? block(reason, attributed) : escalate(reason, attributed);
};
