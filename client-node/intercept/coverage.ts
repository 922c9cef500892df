import { createRequire } from "node:module";

const load = createRequire(import.meta.url);

/** The builtins whose every function is either covered or listed as uncovered. */
const modules = ["fs", "child_process", "http", "https", "http2", "net", "tls", "dgram", "dns", "worker_threads"];

/** What reaches beneath the interceptors, and is no member of those modules. */
const beneath = [
  "process.binding",
  "process.chdir",
  "process.dlopen",
  "process.kill",
  "globalThis.WebSocket",
  "globalThis.EventSource",
  "vm",
  "inspector",
  "native addons",
];

/** Every function of the guarded builtins of this Node is in one of the three. Names such as `fs.promises.readFile`, sorted. */
export interface Coverage {
  readonly covered: readonly string[];
  readonly uncovered: readonly string[];
  /** Reaches nothing that a rule would judge, or only through what is covered; by name, with the reason. */
  readonly outOfScope: Readonly<Record<string, string>>;
}

/** What is guarded, and what is not. A name that is out of scope in one group and covered by another is covered. */
export const coverage = (covers: readonly string[], reasons: Readonly<Record<string, string>>): Coverage => {
  const names = [...modules.flatMap(functionsOf), ...beneath.filter(isHere)];
  const covered = new Set(covers.filter(isHere));
  return Object.freeze({
    covered: Object.freeze([...covered].sort()),
    uncovered: Object.freeze(names.filter((name) => !covered.has(name) && !Object.hasOwn(reasons, name)).sort()),
    outOfScope: Object.freeze(
      Object.fromEntries(Object.entries(reasons).filter(([name]) => !covered.has(name) && isHere(name))),
    ),
  });
};

const functionsOf = (module: string): string[] => {
  const names = members(load(`node:${module}`), module);
  const { promises }: { readonly promises?: unknown } = load(`node:${module}`);
  if (typeof promises === "object" && promises !== null) names.push(...members(promises, `${module}.promises`));
  return names;
};

const members = (object: object, prefix: string): string[] =>
  Object.getOwnPropertyNames(object)
    .filter((name) => typeof Reflect.get(object, name) === "function")
    .map((name) => `${prefix}.${name}`);

/** Does this Node have it? A name that is not a member of a module is taken at its word. */
const isHere = (name: string): boolean => {
  const [first = "", ...rest] = name.split(".");
  if (rest.length === 0) return true;
  let value: unknown = first === "globalThis" ? globalThis : first === "process" ? process : builtin(first);
  for (const key of rest) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
    value = Reflect.get(value, key);
  }
  return value !== undefined;
};

const builtin = (name: string): unknown => {
  try {
    return load(`node:${name}`);
  } catch {
    return null;
  }
};
