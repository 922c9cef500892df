import { block, escalate } from "../answers.ts";
import type { DefinedRule } from "../authoring.ts";
import { defineRule } from "../define.ts";
import { type CommandArgument, commandActions, commandsIn } from "../shell/command-arguments.ts";
import { Unparseable } from "../shell/parse.ts";
import type { BlockAnswer, EscalateAnswer } from "../types.ts";
import { dangerousCommandExamples } from "./dangerous-commands.examples.ts";
import { destroys, type Finding, judgeRedirect } from "./destructive.ts";
import { runsDownload } from "./downloaded-program.ts";

/**
 * Commands that destroy what cannot be brought back, or run what was just downloaded. The command is parsed as bash and
 * every command in it is judged, through pipes, lists, subshells, substitutions, here-documents, wrappers, `eval` and
 * `sh -c`. What cannot be parsed, or runs a program that only the running shell knows, is escalated; never allowed.
 *
 * Silent about everything else: that a command is not on this list does not make it good.
 */
export const dangerousCommands = (options: { readonly actions?: readonly string[] } = {}): DefinedRule =>
  defineRule({
    id: "starter.dangerous-commands",
    actions: options.actions ?? commandActions,
    phase: "call",
    async evaluate(event) {
      try {
        return judge(await commandsIn(event.action, event.args));
      } catch (error) {
        if (!(error instanceof Unparseable)) throw error;
        return escalate("the command cannot be parsed");
      }
    },
    examples: dangerousCommandExamples((options.actions ?? commandActions)[0]!),
  });

const judge = (commands: readonly CommandArgument[]): BlockAnswer | EscalateAnswer | undefined => {
  let doubt: EscalateAnswer | undefined;
  for (const { name, script } of commands) {
    if (script.multiplies) return block("a function that starts itself again and again", { attributedTo: name });
    const findings: readonly (Finding | null)[] = [
      ...script.redirects.map(judgeRedirect),
      ...script.commands.flatMap((command) => [destroys(command), runsDownload(command)]),
    ];
    for (const finding of findings) {
      if (finding === null) continue;
      if (finding.certain) return block(finding.reason, { attributedTo: name });
      doubt ??= escalate(finding.reason, { attributedTo: name });
    }
    if (script.opaque)
      doubt ??= escalate("it runs a program that only the running shell knows", { attributedTo: name });
  }
  return doubt;
};
