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

const tools = new Map<string, boolean>();

/** Is this the name of a tool that runs commands? */
export const isCommandTool = (action: string): boolean => {
  const before = tools.get(action);
  if (before !== undefined) return before;
  const words = action
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const runs =
    action === "execve" ||
    action === "process.execve" ||
    (words.some((word) => telling.has(word)) && !words.some((word) => otherwise.has(word)));
  // Names of tools are few; whoever makes them up must not fill the memory.
  if (tools.size < 4_096) tools.set(action, runs);
  return runs;
};

/** The shell of Windows that a tool's commands are for, as its name says; null where they are for another. */
export const foreignTool = (action: string): "powershell" | "cmd" | null => {
  const name =
    action
      .slice(0, 256)
      .split(/__|[./:]/)
      .at(-1)
      ?.toLowerCase() ?? "";
  if (/(?:^|[_-])(?:powershell|pwsh)(?:$|[_-])/.test(name)) return "powershell";
  return name === "cmd" || name === "cmd.exe" ? "cmd" : null;
};
