import type { Script } from "../../shell/script.ts";

/** Settings of git that name a program which git then runs (git-config(1)). */
const runs: ReadonlySet<string> = new Set([
  "core.hookspath",
  "core.fsmonitor",
  "core.sshcommand",
  "core.askpass",
  "core.gitproxy",
  "core.alternaterefscommand",
  "credential.helper",
  "diff.external",
  "gpg.program",
  "sequence.editor",
  "uploadpack.packobjectshook",
  "init.templatedir",
]);
/** Of a filter, a driver or a tool by its name; an alias is one where it begins with `!`, and that is its value. */
const runsAny =
  /^(?:filter|difftool|mergetool|diff|merge|include|includeif|gpg)\..{1,256}(?:cmd|command|clean|smudge|process|textconv|driver|path|program)$/;

/** `git config core.hooksPath DIR`, `git -c core.fsmonitor=CMD status`: has a script git run programs from elsewhere? Reading a setting does not. */
export const setsHooks = ({ commands }: Script): boolean =>
  commands.some(({ name, args }) => {
    if (name !== "git") return false;
    const texts = args.map(({ text }) => text);
    const once = texts.some((text, at) => texts[at - 1] === "-c" && isRunning(text.split("=", 1)[0] ?? ""));
    const at = texts.indexOf("config");
    if (at < 0 || texts.some((text) => /^--(?:get|list|unset|show)/.test(text))) return once;
    const operands = texts.slice(at + 1).filter((text) => !text.startsWith("-") && text !== "set");
    return once || (operands.length >= 2 && isRunning(operands[0] ?? ""));
  });

const isRunning = (key: string): boolean => runs.has(key.toLowerCase()) || runsAny.test(key.toLowerCase());
