import { remembered } from "../remembered.ts";
import { toolWords } from "../tool-words.ts";

/** Tools that run commands, by the names that agents and MCP servers give them. */
export const commandActions: readonly string[] = Object.freeze([
  "bash",
  "Bash",
  "shell",
  "exec",
  "execute",
  "run_command",
  "execute_command",
  "run_shell_command",
  "run_terminal_cmd",
  "terminal",
  "child_process.*",
]);

/** Words in the name of a tool that runs commands: `mcp__desktop__start_process`, `container.exec`, `runInTerminal`. */
const telling: ReadonlySet<string> = new Set([
  ...["bash", "sh", "zsh", "shell", "terminal", "console", "cli", "powershell", "pwsh", "cmd", "command", "commands"],
  ...["exec", "execute", "spawn", "subprocess", "process", "system", "popen", "ssh", "sandbox"],
]);
/** A tool of one of these has commands of its own language. */
const otherwise: ReadonlySet<string> = new Set([
  "sql",
  "query",
  "database",
  "db",
  "redis",
  "mongo",
  "editor",
  "browser",
  "slash",
]);

/** Languages other than a shell's, and tools whose commands are of their own language: what they are given is no command. */
const languages: ReadonlySet<string> = new Set([
  ...otherwise,
  ...["python", "py", "ipython", "jupyter", "notebook", "javascript", "js", "node", "typescript", "ts", "deno", "bun"],
  ...["ruby", "perl", "php", "lua", "java", "rust", "go", "applescript", "html", "page", "evaluate", "eval"],
  // Tools that keep what they are given.
  ...["read", "write", "edit", "save", "update"],
]);

/** Does the name say that the tool is given another language than a shell's? */
export const languageTool = remembered(
  (action): boolean => toolWords(action).some((word) => languages.has(word)) && !isCommandTool(action),
);

const shellsAndTerminals: ReadonlySet<string> = new Set([
  ...["bash", "sh", "zsh", "shell", "terminal", "console", "powershell", "pwsh", "tmux", "pty", "tty", "ssh"],
]);

/** Is this the name of a shell or a terminal, into which lines are typed? */
export const isTypedInto = remembered((action): boolean =>
  toolWords(action).some((word) => shellsAndTerminals.has(word)),
);

/** Programs that tools are named after. */
const programs: ReadonlySet<string> = new Set([
  ...["git", "npm", "npx", "yarn", "pnpm", "docker", "podman", "kubectl", "helm", "terraform", "aws", "gcloud", "az"],
  ...["gh", "curl", "wget", "systemctl", "rsync", "ssh", "scp"],
]);

/** The program that a tool hands its arguments to: `git`, `mcp__x__git_run`, `kubectl-exec-command`. Null: none. */
export const programTool = remembered((action): string | null => {
  const name =
    action
      .slice(0, 256)
      .toLowerCase()
      .split(/__|[./:]/)
      .at(-1) ?? "";
  const [program, ...rest] = name.split(/[_-]/);
  if (program === undefined || !programs.has(program)) return null;
  return rest.every((word) => /^(?:run|cli|command|cmd|raw|execute|tool)$/.test(word)) ? program : null;
});

/** Is this the name of a tool that runs commands? */
export const isCommandTool = remembered((action): boolean => {
  const words = toolWords(action);
  return (
    action === "execve" ||
    action === "process.execve" ||
    (words.some((word) => telling.has(word)) && !words.some((word) => otherwise.has(word)))
  );
});

/** The shell of Windows that a tool's commands are for, as its name says; null where they are for another. */
export const foreignTool = remembered((action): "powershell" | "cmd" | null => {
  const name =
    action
      .slice(0, 256)
      .split(/__|[./:]/)
      .at(-1)
      ?.toLowerCase() ?? "";
  if (/(?:^|[_-])(?:powershell|pwsh)(?:$|[_-])/.test(name)) return "powershell";
  return name === "cmd" || name === "cmd.exe" ? "cmd" : null;
});
