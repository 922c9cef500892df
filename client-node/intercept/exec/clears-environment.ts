/** Does a command's word, with those after it, start a program with an environment that the guard's variables are not in? */
export const clearsEnvironment = (words: readonly string[]): boolean =>
  words.some((word, at) => {
    const rest = words.slice(at + 1);
    return (isEnv(word) && clears(rest)) || (word === "exec" && clearsAsExec(rest)) || clearsAsUser(nameOf(word), rest);
  });

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
