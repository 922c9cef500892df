import { changing, holdsRun, inSystemEtc, isRooted, lastOf, type Member, member, type SetOf } from "./member.ts";

const shell = member("startup", changing, "escalate", "a file that a shell runs when it starts");
const service = member("startup", changing, "block", "a file that has programs started by the system");
const keys = member("startup", ["write", "delete", "read"], "block", "the keys that may log in");

/** By name wherever they lie: a repository of them is linked into a home. */
const shells: ReadonlySet<string> = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".mkshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".xsessionrc",
  ".pam_environment",
  ".pythonrc",
  ".pythonstartup",
  "config.fish",
  "microsoft.powershell_profile.ps1",
  "profile.ps1",
  "microsoft.vscode_profile.ps1",
  "sitecustomize.py",
  "usercustomize.py",
]);

const runs: readonly (readonly string[])[] = [
  [".config", "autostart"],
  [".config", "systemd"],
  [".config", "fish", "conf.d"],
  [".config", "fish", "functions"],
  ["systemd", "user"],
  ["start menu", "programs", "startup"],
  ["library", "launchagents"],
  ["library", "launchdaemons"],
  ["library", "startupitems"],
];

const inEtc =
  /^(?:cron.{0,16}|anacrontab|init\.d|init|rc\.local|rc\d\.d|rc\.d|profile|profile\.d|bash\.bashrc|bashrc|zsh|zshrc|zshenv|environment|ld\.so\.preload|ld\.so\.conf|ld\.so\.conf\.d|pam\.d|systemd|xdg|inetd\.conf|xinetd\.d|udev|modules|modules-load\.d|sudoers|sudoers\.d|hosts\.equiv)$/;

/** What is run later, without anybody asking: shell start-up, cron, systemd, launch agents, keys that may log in. */
export const startup: SetOf = (path): Member | null => {
  const name = lastOf(path);
  if (name === "authorized_keys" || name === "authorized_keys2" || name === ".rhosts" || name === ".shosts")
    return keys;
  if (shells.has(name)) return shell;
  if (runs.some((run) => holdsRun(path, run))) return service;
  const inside = inSystemEtc(path);
  if (inside !== null && inEtc.test(inside[0] ?? "")) return service;
  if (isRooted(path, "var", "spool", "cron") || isRooted(path, "var", "spool", "at")) return service;
  return null;
};
