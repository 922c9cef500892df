import { createRequire } from "node:module";
import { Script } from "node:vm";
import { checkRuleSet } from "../../rules/check.ts";
import type { RuleSet } from "../../rules/types.ts";
import { allowedBuiltin } from "./builtins.ts";
import { CallOverran, callWithin } from "./call-within.ts";
import { RuleSetRefused, thrownType } from "./refusal.ts";

/**
 * Runs a bundle from memory, in this context, without a loader: it sees the Node modules its manifest names and
 * nothing else. What it exports is parsed again here, because the bundle carries its own copy of the SDK. Throws
 * `RuleSetRefused` (`module_threw`, `bad_module`, `empty`).
 */
export const compileRuleSet = (name: string, bundle: string, builtins: readonly string[]): RuleSet => {
  const exported = run(name, bundle, builtins);
  const value = isObject(exported) && "default" in exported ? exported.default : undefined;
  try {
    return checkRuleSet(value);
  } catch (error) {
    const refused = definitionError(error);
    const code = refused?.code === "empty" ? "empty" : "bad_module";
    const why = refused?.message ?? thrownType(error);
    throw new RuleSetRefused(code, `rule set ${name} must export defineRules(...) as default: ${why}`);
  }
};

type Wrapped = (exports: unknown, require: (specifier: string) => unknown, module: { exports: unknown }) => void;

class UnlistedModule extends Error {}

/** How long a module's top level may run. */
const maxModule_ms = 5_000;

const nodeRequire = createRequire(import.meta.url);

const run = (name: string, bundle: string, builtins: readonly string[]): unknown => {
  const module: { exports: unknown } = { exports: {} };
  const requireListed = (specifier: string): unknown => {
    const builtin = allowedBuiltin(specifier);
    if (builtin === null || !builtins.includes(builtin)) throw new UnlistedModule();
    return nodeRequire(builtin);
  };
  try {
    const script = new Script(`(function (exports, require, module) {${bundle}\n})`, { filename: `ruleset:${name}` });
    const wrapped = script.runInThisContext() as Wrapped;
    callWithin(maxModule_ms, () => wrapped(module.exports, requireListed, module));
    return module.exports;
  } catch (error) {
    if (error instanceof CallOverran)
      throw new RuleSetRefused("load_overran", `rule set ${name}: its module does not end within ${maxModule_ms} ms`);
    // The set's own `defineRules` speaks in one line; any other message may quote what it must not.
    const refused = definitionError(error);
    if (refused === null)
      throw new RuleSetRefused("module_threw", `rule set ${name} threw ${thrownType(error)} while its module ran`);
    const code = refused.code === "empty" ? "empty" : "bad_module";
    throw new RuleSetRefused(code, `rule set ${name} is refused: ${refused.message}`);
  }
};

/** The bundle carries its own copy of the class, so the error is known by its name. */
export const definitionError = (error: unknown): { readonly message: string; readonly code: unknown } | null =>
  error instanceof Error && error.name === "RuleDefinitionError" && /^[^\r\n]{1,512}$/.test(error.message)
    ? { message: error.message, code: "code" in error ? error.code : undefined }
    : null;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
