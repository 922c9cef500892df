import type { Rule } from "../../../rules/types.ts";
import { isWorthALook, textsOf } from "./command-glance.ts";
import { commandExamples } from "./commands-rule.examples.ts";
import type { Place, Protected } from "./places.ts";
import { folded } from "./relation.ts";

/**
 * The same for what a command names. The socket, the state and the secret keys are named by no command at all: whether one
 * reads or alters cannot be told by its name. Of the rest, programs that are known to alter are kept away, and redirections.
 */
export const commandsRule = (itself: Protected): Rule =>
  Object.freeze<Rule>({
    id: "interlock.self.commands",
    actions: ["child_process.*", "process.execve"],
    phase: "call",
    evaluate(event) {
      const { resolved_cwd, own_package } = event.args;
      const cwd = typeof resolved_cwd === "string" ? resolved_cwd : null;
      const places = typeof own_package === "string" ? [...itself.places, guardAt(own_package)] : itself.places;
      if (!isWorthALook(textsOf(event.args), cwd, places)) return undefined;
      return import("./command-look.ts").then(({ lookAt }) => lookAt(event, { ...itself, places }, cwd));
    },
    examples: commandExamples(itself),
  });

const guardAt = (path: string): Place => ({
  path: folded(path),
  extent: "tree",
  what: "the guard of this process",
  isSecret: false,
  isPrivate: false,
});
