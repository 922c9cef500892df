import { changesWhatRuns } from "../../shell/loading-variables.ts";
import { type Judge, judgement } from "./judgement.ts";
import { readsAsMixed } from "./mixed-letters.ts";

/** What cannot be told: programs that the shell makes up, wrappers and scripts that are not known, other shells. */
export const opaque: Judge = ({ effects, script }, options) => [
  ...effects.map((effect) => {
    if (effect.kind === "runs" && effect.what === "code")
      return effect.text === null
        ? judgement(options.opaque, "it runs code that is not in the command")
        : judgement(options.inlineCode, "it runs code that is written in the command");
    if (effect.kind !== "unknown") return null;
    switch (effect.why) {
      case "computed_program":
        return judgement(options.opaque, "it runs a program that only the running shell knows");
      case "unknown_wrapper":
        return judgement(options.opaque, "a program that is not known is given a command to run");
      case "unreadable_script":
        return judgement(options.opaque, "it runs a script that is not in the command");
      case "other_shell":
        return judgement(options.foreignShells, "a command for a shell of Windows that is not known to be harmless");
    }
    return null;
  }),
  ...script.assignments.map(({ name, value }) =>
    changesWhatRuns(name, value.text)
      ? judgement(options.opaque, "it sets what programs load or run before they start")
      : null,
  ),
  script.commands.some(({ args }) => args.some(({ text }) => readsAsMixed(text)))
    ? judgement(options.opaque, "a path or program has letters of two alphabets")
    : null,
];
