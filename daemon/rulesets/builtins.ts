/**
 * The Node modules that a rule set may require. What starts processes or threads, loads code, or steps around the
 * loader (child_process, worker_threads, cluster, vm, inspector, module, repl, process) is not among them. Rules are
 * trusted like the daemon, the signature is the control; this list keeps an honest bundle from pulling in more by accident.
 */
const allowed: ReadonlySet<string> = new Set([
  "assert",
  "assert/strict",
  "async_hooks",
  "buffer",
  "crypto",
  "dns",
  "dns/promises",
  "events",
  "fs",
  "fs/promises",
  "http",
  "https",
  "net",
  "os",
  "path",
  "path/posix",
  "path/win32",
  "perf_hooks",
  "punycode",
  "querystring",
  "stream",
  "stream/promises",
  "string_decoder",
  "timers",
  "timers/promises",
  "tls",
  "url",
  "util",
  "util/types",
  "zlib",
]);

/** `node:fs` for `fs` and `node:fs`; null for what a rule set may not require. */
export const allowedBuiltin = (specifier: string): string | null => {
  const name = specifier.startsWith("node:") ? specifier.slice(5) : specifier;
  return allowed.has(name) ? `node:${name}` : null;
};
