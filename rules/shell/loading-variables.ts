/** Variables by which a program loads or runs what they name, before or beside its own work. */
const loading: ReadonlySet<string> = new Set([
  ...["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PS4", "PYTHONSTARTUP"],
  ...["PERL5OPT", "PERL5DB", "RUBYOPT", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND"],
  ...["JAVA_TOOL_OPTIONS", "BASH_FUNC_ls%%"],
]);

/** Does setting this variable change what programs load or run? */
export const changesWhatRuns = (name: string, value: string): boolean =>
  loading.has(name) ||
  (name === "NODE_OPTIONS" && /--(?:require|import|loader|experimental-loader)|(?:^|\s)-r/.test(value));
