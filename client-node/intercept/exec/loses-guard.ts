import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import { compileCacheVariable } from "../compile-cache.ts";
import { addsDebugger } from "./debugger.ts";
import { guardVariables } from "./guard-variables.ts";
import type { Inheritance } from "./inheritance.ts";
import type { Plan } from "./plan.ts";

const action = "child_process.unguarded";
const variables: readonly string[] = [...guardVariables, "NODE_OPTIONS", compileCacheVariable];

/**
 * With these Node runs code before any preload, hands on functions that were taken before it, or opens what lies beneath the
 * builtins.
 */
const flags: readonly string[] = [
  "--build-snapshot",
  "--build-snapshot-config",
  "--snapshot-blob",
  "--expose-internals",
  // What such a file names is preloaded before what NODE_OPTIONS does.
  "--experimental-config-file",
  "--experimental-default-config-file",
];

/**
 * The guard reaches a child by its environment, and by no other way. A start whose own words take it out again (`env -i`,
 * `NODE_OPTIONS= node x.js`, `node --build-snapshot`) is blocked, unless a rule for `child_process.unguarded` says so by
 * name: it rewrites `allow` to true. Silence, and a plain allow, are not enough.
 *
 * It sees what is written. A shell can make up a name as it runs, and a program that is not Node does what it likes: such a
 * program is judged when it is started.
 *
 * @throws BlockedError
 */
export const requireGuarded = (plan: Plan, guard: Guard, inheritance: Inheritance | null): void => {
  const how = inheritance === null ? "the engine is of this process only" : losesGuard(plan);
  if (how === null) return;
  const [, ...args] = plan.args;
  const { args: changed } = guard.askSync(action, { command: plan.file, args, how, allow: false });
  if (guard.refuses?.() === false || changed?.allow === true) return;
  throw blocked(action, `the child process would lose the guard (${how})`);
};

/** How this start takes the guard from the child; null where it does not. */
export const losesGuard = ({ args }: Plan): string | null => {
  const words = args.flatMap(wordsOf);
  for (const word of words) {
    if (variables.some((name) => word.includes(name))) return "it names a variable of the guard";
    if (isBeneath(word)) return "it starts Node beneath its preloads";
    if (testsInOneProcess(word))
      return "Node loads reporters and a global setup of --test-isolation=none before its preloads";
    if (addsDebugger(word)) return "it opens a debugger's port";
  }
  const isCleared = words.some((word, at) => {
    const rest = words.slice(at + 1);
    return (isEnv(word) && clears(rest)) || (word === "exec" && clearsAsExec(rest)) || clearsAsUser(nameOf(word), rest);
  });
  return isCleared ? "it clears the environment" : null;
};

/** What stands between blanks and what shells end words with; quotes and backslashes are parts of no word. */
const wordsOf = (text: string): string[] => text.replace(/["'\\]/g, "").split(/[\s;&|()<>`]+/);

/** Node takes `_` for `-` in the names of flags, and a value behind `=`. */
const isBeneath = (word: string): boolean => flags.includes((word.split("=")[0] as string).replaceAll("_", "-"));

/** Without it each test file has a process of its own, and Node 24 loads the rest after the preloads. */
const testsInOneProcess = (word: string): boolean => {
  const [name, value] = word.replaceAll("_", "-").split("=", 2);
  return (name === "--test-isolation" || name === "--experimental-test-isolation") && value !== "process";
};

/** Options that Node reads from `NODE_OPTIONS`: a snapshot, or a debugger, can be named there too. */
export const startsBeneath = (nodeOptions: string): boolean =>
  wordsOf(nodeOptions).some((word) => isBeneath(word) || testsInOneProcess(word) || addsDebugger(word));

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

/** Programs that run another as a user would find it after logging in. */
const clearsAsUser = (name: string, words: readonly string[]): boolean => {
  if (name === "setpriv") return words.some((word) => isShortFor("--reset-env", word));
  if (name !== "su" && name !== "runuser") return false;
  return words.some((word) => word === "-" || isShortFor("--login", word) || /^-[a-zA-Z]*l/.test(word));
};

const isEnv = (word: string): boolean => word === "env" || word.endsWith("/env");

/** Up to the program that `env` starts: its options come first, and some of them take the next word. */
const clears = (words: readonly string[]): boolean => {
  let isValue = false;
  for (const word of words) {
    if (isValue) {
      isValue = false;
      continue;
    }
    if (word === "-" || isIgnoreEnvironment(word) || /^-[a-zA-Z0]*i/.test(word)) return true;
    if (!word.startsWith("-") && !word.includes("=")) return false;
    isValue =
      /^-[a-zA-Z0]*[uCa]$/.test(word) || ["--unset", "--chdir", "--argv0"].some((name) => isShortFor(name, word));
  }
  return false;
};

/** Long options may be cut short. */
const isShortFor = (name: string, word: string): boolean => word.length > "--".length && name.startsWith(word);
const isIgnoreEnvironment = (word: string): boolean => isShortFor("--ignore-environment", word);

/** `exec -c` of bash and zsh. */
const clearsAsExec = (words: readonly string[]): boolean => {
  for (const word of words) {
    if (/^-[a-z]*c/.test(word)) return true;
    if (!word.startsWith("-")) return false;
  }
  return false;
};
