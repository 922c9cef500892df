import { block, escalate } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { type CommandArgument, holdsCommand, onceRead } from "../../shell/command-arguments.ts";
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
): DefinedRule =>
  defineRule({
    id,
    actions: everyAction,
    phase: "call",
    evaluate(event) {
      // Most calls run no command: they cost one look at a name.
      return holdsCommand(event.action, event.args) ? evaluate(event, judge, options, around, unparseable) : undefined;
    },
    examples: examplesOf(examples),
  });

const evaluate = (
  { action, args }: RuleEvent,
  judge: Judge,
  options: Required<CommandsOptions>,
  around: Surroundings,
  unparseable: Judgement | null,
): Answer | Promise<Answer> =>
  onceRead(
    action,
    args,
    (commands) => worstOf(commands, judge, options, around),
    // Another rule of the pack holds it.
    () => (unparseable === null ? undefined : answerOf(unparseable, null)),
  );

const worstOf = (
  commands: readonly CommandArgument[],
  judge: Judge,
  options: Required<CommandsOptions>,
  around: Surroundings,
): Answer => {
  let softest: Answer;
  for (const { name, script } of commands) {
    for (const found of judge({ name, script, effects: effectsFor(script) }, options, around)) {
      if (found === null) continue;
      if (found.measure === "block") return answerOf(found, name);
      softest ??= answerOf(found, name);
    }
  }
  return softest;
};

const answerOf = ({ measure, reason }: Judgement, name: string | null): BlockAnswer | EscalateAnswer => {
  const attributed = name === null ? {} : { attributedTo: name };
  return measure === "block" ? block(reason, attributed) : escalate(reason, attributed);
};
