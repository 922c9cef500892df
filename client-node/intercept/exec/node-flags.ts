import { addsDebugger } from "./debugger.ts";

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

/** What stands between blanks and what shells end words with; quotes and backslashes are parts of no word. */
export const wordsOf = (text: string): string[] => text.replace(/["'\\]/g, "").split(/[\s;&|()<>`]+/);

/** Node takes `_` for `-` in the names of flags, and a value behind `=`. */
const isBeneath = (word: string): boolean => flags.includes((word.split("=")[0] as string).replaceAll("_", "-"));

/** Without it each test file has a process of its own, and Node 24 loads the rest after the preloads. */
const testsInOneProcess = (word: string): boolean => {
  const [name, value] = word.replaceAll("_", "-").split("=", 2);
  return (name === "--test-isolation" || name === "--experimental-test-isolation") && value !== "process";
};

/** How a word takes Node's preloads away, or goes around them; null where it does not. */
export const startsBeneath = (word: string): string | null => {
  if (isBeneath(word)) return "it starts Node beneath its preloads";
  if (testsInOneProcess(word))
    return "Node loads reporters and a global setup of --test-isolation=none before its preloads";
  return addsDebugger(word) ? "it opens a debugger's port" : null;
};

/** Options that Node reads from `NODE_OPTIONS`: a snapshot, or a debugger, can be named there too. */
export const optionsStartBeneath = (nodeOptions: string): boolean =>
  wordsOf(nodeOptions).some((word) => startsBeneath(word) !== null);
