import type { Command } from "../../../rules/shell/script.ts";
import type { Word } from "../../../rules/shell/word.ts";
import { reaches } from "./daemon-rule.ts";
import { isOwnThread } from "./own-threads.ts";
import type { Protected } from "./places.ts";

const byName: ReadonlySet<string> = new Set(["pkill", "killall", "skill", "killall5"]);
const lookUp: ReadonlySet<string> = new Set(["pgrep", "pidof"]);
const attach: ReadonlySet<string> = new Set([
  "gdb",
  "lldb",
  "strace",
  "ltrace",
  "nsenter",
  "prlimit",
  "renice",
  "reptyr",
]);

export const isSignalling = (name: string): boolean =>
  name === "kill" || name === "systemctl" || byName.has(name) || attach.has(name);

/** Does one of these commands signal the daemon, attach to it, or stop it as a service? */
export const signalsDaemon = (commands: readonly Command[], itself: Protected): boolean =>
  commands.some((command) => signals(command, itself)) ||
  // `kill $(pgrep -f NAME)`, `pgrep NAME | xargs kill`: who is found is who is meant.
  (commands.some(({ name }) => name === "kill") &&
    commands.some(({ name, args }) => lookUp.has(name) && mayFind(args, itself)));

const signals = ({ name, args }: Command, itself: Protected): boolean => {
  if (name === "kill") return targets(args).some((pid) => reaches(pid, itself));
  if (name === "killall5") return true;
  if (byName.has(name)) return !isQuestion(args) && mayFind(args, itself);
  if (attach.has(name)) return args.some(({ text }) => text.split(/[=,]/).some((part) => isDaemon(part, itself)));
  return (
    name === "systemctl" && args.some(({ text }) => /interlock/i.test(text)) && args.some(({ text }) => ends.has(text))
  );
};

const isDaemon = (text: string, { pid }: Protected): boolean =>
  text === String(pid) || (/^\d+$/.test(text) && isOwnThread(Number(text)));

const ends: ReadonlySet<string> = new Set(["stop", "kill", "restart", "try-restart", "disable", "mask", "reload"]);

/** Signal 0 only asks. */
const isQuestion = (args: readonly Word[]): boolean =>
  args.some(
    ({ text }, at) =>
      text === "-0" || text === "-s0" || (text === "0" && /^-(?:s|n|-signal)$/.test(args[at - 1]?.text ?? "")),
  );

/** The numbers that `kill` is given: behind the signal, where a minus is a group's. */
const targets = (args: readonly Word[]): readonly string[] => {
  if (isQuestion(args) || args.some(({ text }) => /^-(?:l|L|-list|-table)$/.test(text))) return [];
  const [first] = args;
  const takesValue = first !== undefined && /^-(?:s|n|-signal)$/.test(first.text);
  const rest = first?.text.startsWith("-") ? args.slice(takesValue ? 2 : 1) : args;
  return rest.flatMap(({ text }) => (/^-?\d+$/.test(text) ? [text] : []));
};

/** May one of these patterns find the daemon by its name or its command line? */
const mayFind = (args: readonly Word[], { commandLine }: Protected): boolean => {
  const line = commandLine.toLowerCase();
  return args.some(
    ({ text, known }, at) =>
      known &&
      !text.startsWith("-") &&
      !/^-[uUgGPstF]$/.test(args[at - 1]?.text ?? "") &&
      alternatives(text).some((runs) => runs.every((run) => line.includes(run))),
  );
};

/** The letters that must stand in what a pattern matches, for each of its alternatives. What can be left out is left out. */
const alternatives = (pattern: string): readonly (readonly string[])[] =>
  pattern
    .toLowerCase()
    .split("|")
    .map((part) =>
      part
        .replace(/\[[^\]]*\]/g, ".")
        .replace(/.[*?{]/gs, ".")
        .split(/[^a-z0-9_/-]+/)
        .filter((run) => run !== ""),
    )
    .filter((runs) => runs.length > 0);
