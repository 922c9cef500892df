import { Command } from "commander";
import { ExitCode, Refusal } from "../../daemon/exit-codes.ts";

/** Words that may follow, by the words so far: `""` is the command itself. */
const wordsOf = (program: Command): Map<string, string[]> => {
  const words = new Map<string, string[]>();
  const walk = (command: Command, path: string): void => {
    const options = command.options.flatMap(({ long }) => (long === null || long === undefined ? [] : [long]));
    words.set(path, [...command.commands.map((sub) => sub.name()), ...options, "--help"]);
    for (const sub of command.commands) walk(sub, `${path} ${sub.name()}`.trim());
  };
  walk(program, "");
  return words;
};

const bash = (words: Map<string, string[]>): string => {
  const cases = [...words].map(([path, next]) => `    "${path}") next="${next.join(" ")}" ;;`);
  return `# interlock completion bash > ~/.local/share/bash-completion/completions/interlock
_interlock() {
  local path="" word next="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in -*) ;; *) case " \${_interlock_paths} " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac ;; esac
  done
  case "\${path//\\// }" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
  case "\${COMP_WORDS[COMP_CWORD]}" in -*) ;; *) [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")) ;; esac
}
_interlock_paths="${[...words.keys()]
    .filter((path) => path !== "")
    .map((path) => path.replaceAll(" ", "/"))
    .join(" ")}"
complete -F _interlock interlock`;
};

export const completionCommand = (program: Command): Command =>
  new Command("completion")
    .description("print a completion script for a shell (bash, zsh)")
    .argument("<shell>", "bash or zsh")
    .action((shell: string) => {
      if (shell === "bash") process.stdout.write(`${bash(wordsOf(program))}\n`);
      else if (shell === "zsh")
        process.stdout.write(`autoload -U +X bashcompinit && bashcompinit\n${bash(wordsOf(program))}\n`);
      else throw new Refusal(ExitCode.refused, `no completion for ${shell}; choose bash or zsh`);
    });
