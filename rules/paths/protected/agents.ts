import { below, changing, holdsRun, lastOf, type Member, member, type SetOf } from "./member.ts";

const agent = member("agents", changing, "escalate", "the configuration of an agent or its editor");
const guard = member("agents", ["read", ...changing], "block", "the guard's own configuration, keys or state");
const guardConfig = member("agents", changing, "block", "the guard's own configuration");

/** Folders that an agent or an editor runs things from. */
const folders: readonly string[] = [
  ".claude",
  ".cursor",
  ".codex",
  ".gemini",
  ".windsurf",
  ".continue",
  ".roo",
  ".clinerules",
  ".codeium",
  ".opencode",
  ".amazonq",
  ".kiro",
  ".goose",
];

/** What agents keep of their own work in these folders. */
const work: ReadonlySet<string> = new Set([
  "plans",
  "todos",
  "worktrees",
  "projects",
  "sessions",
  "tmp",
  "cache",
  "scratchpad",
  "shell-snapshots",
  "debug",
  "memory",
  "logs",
]);

const names: ReadonlySet<string> = new Set([
  ".mcp.json",
  "mcp.json",
  "mcp_config.json",
  "mcp_settings.json",
  "cline_mcp_settings.json",
  "claude_desktop_config.json",
  ".claude.json",
  ".aider.conf.yml",
  ".cursorrules",
  ".windsurfrules",
  "copilot-instructions.md",
]);

const editorFiles: ReadonlySet<string> = new Set(["settings.json", "tasks.json", "launch.json", "mcp.json"]);

/** Instructions that an agent reads at its start. People have them edited every day, so `strict` alone asks. */
const instructions: ReadonlySet<string> = new Set([
  "claude.md",
  "claude.local.md",
  "agents.md",
  "gemini.md",
  ".cursorrules",
  ".windsurfrules",
  "copilot-instructions.md",
]);

const guardNames = /^interlock\.(?:ya?ml|json|toml|config\.[cm]?[jt]s)$/;

/** Where an agent's own rights are written down: `.claude`, `.cursor`, `.mcp.json`, editor tasks; and where the guard's are. */
export const agentConfig: SetOf = (path): Member | null => {
  const name = lastOf(path);
  const ofGuard = below(path, ".interlock");
  if (ofGuard !== null) return name.endsWith(".pub") ? guardConfig : ofGuard.length === 0 ? guardConfig : guard;
  if (guardNames.test(name) || name.endsWith(".ruleset.json")) return guardConfig;
  if (holdsRun(path, ["etc", "interlock"])) return guard;
  if (instructions.has(name)) return null;
  if (names.has(name)) return agent;
  for (const folder of folders) {
    const rest = below(path, folder);
    if (rest !== null && !work.has(rest[0] ?? "")) return agent;
  }
  const inEditor = below(path, ".vscode") ?? below(path, "user");
  if (inEditor !== null && inEditor.length === 1 && editorFiles.has(name) && isEditor(path.parts)) return agent;
  return null;
};

const isEditor = (parts: readonly string[]): boolean =>
  parts.at(-2) === ".vscode" ||
  (parts.at(-2) === "user" && /^(?:code|cursor|windsurf|vscodium)/.test(parts.at(-3) ?? ""));

const instruction = member("agents", changing, "escalate", "instructions that an agent starts with");

export const agentInstructions: SetOf = (path): Member | null => (instructions.has(lastOf(path)) ? instruction : null);
