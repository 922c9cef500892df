import module, { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** One export of a builtin, or one member of a class that a builtin has. A plain value, a number or a text, reaches nothing by itself. */
export interface Export {
  readonly name: string;
  readonly isValue: boolean;
}

/** Classes whose methods reach outside of the process, or may. Each is an export, with the name that it has here. */
const classes: Readonly<Record<string, readonly string[]>> = {
  child_process: ["ChildProcess"],
  cluster: ["Worker"],
  dgram: ["Socket"],
  dns: ["Resolver"],
  "dns/promises": ["Resolver"],
  fs: ["Dir", "ReadStream", "WriteStream", "Utf8Stream"],
  http: ["Agent", "ClientRequest", "Server"],
  https: ["Agent", "Server"],
  inspector: ["Session"],
  "inspector/promises": ["Session"],
  module: ["Module"],
  net: ["BoundSocket", "Server", "Socket"],
  repl: ["REPLServer"],
  sqlite: ["DatabaseSync", "Session", "StatementSync"],
  tls: ["Server", "TLSSocket"],
  tty: ["ReadStream", "WriteStream"],
  vm: ["Module", "Script", "SourceTextModule", "SyntheticModule"],
  wasi: ["WASI"],
  worker_threads: ["BroadcastChannel", "MessagePort", "Worker"],
};

/** Objects of exports that have functions of their own. */
const nested: Readonly<Record<string, readonly string[]>> = {
  crypto: ["webcrypto"],
  fs: ["realpath", "realpathSync"],
  inspector: ["DOMStorage", "Network", "NetworkResources"],
  process: ["finalization", "permission", "report"],
  test: ["mock", "snapshot"],
  v8: ["promiseHooks", "startupSnapshot"],
};

/** What every function has. */
const ofFunctions: readonly string[] = ["length", "name", "prototype", "arguments", "caller"];

/** Known by `node:` alone, and listed by Node 24 only. */
const unlistedBuiltins: readonly string[] = ["node:sea", "node:sqlite", "node:test", "node:test/reporters"];

/** The builtins of this Node that a program can load, without `node:`. */
export const builtins = (): readonly string[] => {
  const names = [...module.builtinModules, ...unlistedBuiltins.filter((name) => module.isBuiltin(name))];
  return [...new Set(names.map((name) => name.replace(/^node:/, "")))].sort();
};

/** Is it another name of a module that is listed? Then its exports are those. */
export const sameModule: Readonly<Record<string, string>> = {
  "assert/strict": "assert.strict",
  "dns/promises": "dns.promises",
  "fs/promises": "fs.promises",
  "path/posix": "path.posix",
  "path/win32": "path.win32",
  "readline/promises": "readline.promises",
  "stream/promises": "stream.promises",
  sys: "util",
  "timers/promises": "timers.promises",
  "util/types": "util.types",
};

/** The builtin that a name begins with. */
export const moduleOf = (name: string): string => name.split(/[.(]/, 1)[0] as string;

/** Has anything loaded this builtin yet? To load one may print a warning, or change Node. */
export const isLoaded = (name: string): boolean =>
  (process as unknown as { readonly moduleLoadList: readonly string[] }).moduleLoadList.includes(
    `NativeModule ${name}`,
  );

/** Does this Node have it? What cannot be looked up without loading a builtin, or opening a file, is taken at its word. */
export const isHere = (name: string): boolean => {
  const first = moduleOf(name);
  if (first !== "globalThis" && !builtins().includes(first)) return false;
  if (first !== "globalThis" && !isLoaded(first)) return true;
  if (name.startsWith("fs.promises.FileHandle.") || name.endsWith("()")) return true;
  let value: unknown = first === "globalThis" ? globalThis : load(`node:${first}`);
  const keys = name.slice(first.length + 1).split(".");
  const last = keys.pop() as string;
  for (const key of keys) value = isHolder(value) ? Reflect.get(value, key) : undefined;
  return isHolder(value) && last in value;
};

const isHolder = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Every export of one builtin, which is loaded for it. */
export const exportsOf = (name: string): readonly Export[] => {
  const exported = load(`node:${name}`) as object;
  const prefix = sameModule[name] ?? name;
  const found = membersOf(exported, prefix);
  if (typeof exported === "function") found.push({ name: `${prefix}()`, isValue: false });
  for (const key of nested[name] ?? []) {
    const object: unknown = Reflect.get(exported, key);
    if (isHolder(object)) found.push(...membersOf(object, `${prefix}.${key}`));
  }
  for (const key of classes[name] ?? []) {
    const made: unknown = Reflect.get(exported, key);
    if (typeof made === "function") found.push(...membersOf(made.prototype as object, `${prefix}.${key}.prototype`));
  }
  return found;
};

/** The globals, the exports of builtins that are globals too excepted: `process` and `console` have lists of their own. */
export const globals = (): readonly Export[] => membersOf(globalThis, "globalThis");

/** The members of an object by name; `isValue` where reading or setting it is all that one can do, and setting does nothing. */
export const membersOf = (object: object, prefix: string): Export[] =>
  Object.getOwnPropertyNames(object)
    .filter((key) => key !== "constructor" && !(typeof object === "function" && ofFunctions.includes(key)))
    .map((key) => ({ name: `${prefix}.${key}`, isValue: isValue(object, key) }));

const isValue = (object: object, key: string): boolean => {
  const { get, set, value } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
  if (get !== undefined || set !== undefined) return false;
  return (typeof value !== "object" && typeof value !== "function") || value === null;
};
