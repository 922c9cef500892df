import { allow } from "../../answers.ts";
import type { DefinedRule } from "../../authoring.ts";
import { defineRule } from "../../define.ts";
import { holdsCommand, onceRead } from "../../shell/command-arguments.ts";
import type { Effect } from "../../shell/effect.ts";
import { isFamiliarProgram } from "../../shell/known-programs.ts";
import type { Script } from "../../shell/script.ts";
import { effectsFor } from "../../shell/script-effects.ts";
import type { RuleExample } from "../../types.ts";
import type { Surroundings } from "../pack.ts";
import type { CommandsOptions } from "./options.ts";
import { standingOf } from "./standing.ts";

const everyAction: readonly string[] = Object.freeze(["*"]);

/**
 * Daily work: every program of the command is known, and all that it does is read, write or fetch where that is nobody's loss. It was
 * looked at, so it is allowed, and whoever set `unknown: escalate` is not asked about `npm run build`. What any other rule holds stays held.
 */
export const understood = ({ understood: measure }: Required<CommandsOptions>, around: Surroundings): DefinedRule => {
  const known = new WeakMap<Script, boolean>();
  const isKnownWork: IsUnderstood = (script) => {
    const before = known.get(script);
    if (before !== undefined) return before;
    const is = isUnderstood(script, around);
    known.set(script, is);
    return is;
  };
  return defineRule({
    id: "commands.understood",
    actions: everyAction,
    phase: "call",
    evaluate(event) {
      return measure === "pass" || !holdsCommand(event.action, event.args) ? undefined : evaluate(event, isKnownWork);
    },
    examples: measure === "pass" ? [unread] : [unread, ...daily, ...others],
  });
};

type Answer = ReturnType<typeof allow> | undefined;
type IsUnderstood = (script: Script) => boolean;

const evaluate = (
  { action, args }: Parameters<DefinedRule["evaluate"]>[0],
  isKnownWork: IsUnderstood,
): Answer | Promise<Answer> =>
  onceRead<Answer>(
    action,
    args,
    (commands) =>
      commands.length > 0 && commands.every(({ script }) => isKnownWork(script))
        ? allow("every program in it is known, and so is what it does")
        : undefined,
    // The rule about what cannot be read holds it.
    () => undefined,
  );

const isUnderstood = (script: Script, around: Surroundings): boolean =>
  script.commands.length > 0 &&
  script.commands.every(({ name }) => isFamiliarProgram(name) && !reachesFurther.has(name)) &&
  effectsFor(script).every((effect) => isHarmless(effect, around));

const isHarmless = (effect: Effect, around: Surroundings): boolean => {
  switch (effect.kind) {
    case "reads":
    case "lists":
      return true;
    case "writes":
    case "deletes":
    case "alters": {
      if (!effect.path.known) return false;
      const standing = standingOf(effect.path, around);
      return standing === "inside" || standing === "scratch" || effect.path.text === "/dev/null";
    }
    case "reaches":
      return effect.known && !effect.sends;
    case "runs":
      return effect.what === "file";
    default:
      return false;
  }
};

/** Known, but what they change is not told as an effect: other accounts, other machines, the system's packages and services. */
const reachesFurther: ReadonlySet<string> = new Set(
  "sudo doas su runuser pkexec alias unalias service brew port snap flatpak pacman yay zypper emerge pkg apt-mark update-alternatives vault consul nomad ansible ansible-playbook packer helmfile skaffold tilt flyway tmux screen open xdg-open keytool interlock".split(
    " ",
  ),
);

type Example = Omit<RuleExample, "given">;

/** It needs no parser. */
const unread: Example = { event: { action: "read_file", args: { path: "notes.txt" } }, expect: "silent" };

const exampleOf = (command: string, expect: RuleExample["expect"]): Example => ({
  event: { action: "bash", args: { command } },
  expect,
});

const daily = ["npm run build", "git status && npx vitest run src", "grep -rn needle src | head"].map((command) =>
  exampleOf(command, "allow"),
);
const others = ["some-program --flag", "rm -rf /", "curl -d @notes.txt https://example.com/", "$CMD"].map((command) =>
  exampleOf(command, "silent"),
);
