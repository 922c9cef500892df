import { below, changing, holdsRun, lastOf, type Member, member, type SetOf } from "./member.ts";

const hook = member("vcs", changing, "block", "a hook that version control runs");
const config = member("vcs", changing, "escalate", "configuration that has version control run programs");
const internals = member("vcs", ["write", "delete"], "escalate", "what version control keeps of its own");
/** What people and agents do write in `.git`: messages, what a rebase asks for, folders of further work. */
const ofWork: ReadonlySet<string> = new Set([
  "commit_editmsg",
  "merge_msg",
  "squash_msg",
  "tag_editmsg",
  "rebase-merge",
  "rebase-apply",
  "worktrees",
]);
const repository = member("vcs", ["delete"], "escalate", "the repository's own folder");

/** githooks(5). */
const hooks: ReadonlySet<string> = new Set([
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "pre-receive",
  "update",
  "proc-receive",
  "post-receive",
  "post-update",
  "reference-transaction",
  "push-to-checkout",
  "pre-auto-gc",
  "post-rewrite",
  "sendemail-validate",
  "fsmonitor-watchman",
  "post-index-change",
]);

/** `.git/hooks`, `.git/config` (`core.hooksPath`, `core.fsmonitor`, aliases), `.husky`, the same of submodules and of other systems. */
export const versionControl: SetOf = (path): Member | null => {
  const name = lastOf(path);
  if (name === ".git") return repository;
  const inside = below(path, ".git");
  if (inside !== null) {
    if (inside.includes("hooks")) return hook;
    if (name === "config" || name === "config.worktree" || name === "fsmonitor--daemon.ipc") return config;
    if (!ofWork.has(inside[0] ?? "") && !(inside[0] === "info" && name === "exclude") && !name.endsWith(".lock"))
      return internals;
  }
  if (below(path, ".husky") !== null) return config;
  if (below(path, ".githooks") !== null) return config;
  if (name === ".gitconfig" || name === "hgrc" || name === ".hgrc" || holdsRun(path, [".config", "git", "config"]))
    return config;
  if (holdsRun(path, [".svn", "hooks"]) || holdsRun(path, [".config", "git", "hooks"])) return hook;
  // The hooks of a bare repository: `x.git/hooks/pre-receive`.
  return path.parts.at(-2) === "hooks" && hooks.has(name) ? hook : null;
};
