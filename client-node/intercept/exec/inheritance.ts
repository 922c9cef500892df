import type { Guard } from "../ask.ts";
import { withoutCompileCache } from "../compile-cache.ts";
import type { GroupOptions } from "../group.ts";
import { guardedNodeOptions } from "../node-options.ts";
import { guardVariables } from "./guard-variables.ts";

/** The variables that make a Node process guard itself before any code of its program runs. */
export interface Inheritance {
  /**
   * The environment of a child; those of the guard are put in last, whatever the caller gave.
   *
   * @throws BlockedError its `NODE_OPTIONS` names what no preload comes before
   */
  environment(given: Readonly<Record<string, string | undefined>>): Record<string, string>;
  /** The same as the `NAME=value` pairs that the kernel gets. */
  pairs(given: readonly string[]): string[];
}

/**
 * Every child gets the variables, Node or not: a shell hands them on to the Node programs it starts. Null where there is no
 * socket to name: an engine that lives in this process cannot be inherited, and every start is one that loses the guard.
 */
export const inheritanceOf = (
  { socketPath, principal, timeout, scope, tokenFile }: GroupOptions,
  guard: Guard,
): Inheritance | null => {
  if (socketPath === null) return null;
  const own: Record<string, string | undefined> = {
    INTERLOCK_SOCKET: socketPath,
    INTERLOCK_PRINCIPAL: principal ?? undefined,
    INTERLOCK_TIMEOUT: timeout === null ? undefined : String(timeout),
    INTERLOCK_SCOPE: scope ?? undefined,
    // A token that is no file is in no environment: a child without one is bound to nobody, and may be refused for it.
    INTERLOCK_TOKEN_FILE: tokenFile ?? undefined,
  };
  const environment: Inheritance["environment"] = (given) => {
    const pairs: string[] = [];
    // Prototype values count for Node as well.
    for (const name in given) {
      const value = given[name];
      if (value !== undefined) pairs.push(`${name}=${value}`);
    }
    // As the child will find them: a name with the sign in it is another's.
    const result = fromPairs(pairs);
    // A preload refuses: what only watches, or is let go of, is not handed on.
    if (guard.refuses?.() === false) return result;
    for (const name of guardVariables) {
      const value = own[name];
      if (value === undefined) delete result[name];
      else result[name] = value;
    }
    result.NODE_OPTIONS = guardedNodeOptions(result.NODE_OPTIONS);
    return Object.assign(result, withoutCompileCache);
  };
  return {
    environment,
    pairs: (given) => Object.entries(environment(fromPairs(given))).map(([name, value]) => `${name}=${value}`),
  };
};

const fromPairs = (pairs: readonly string[]): Record<string, string> => {
  const result: Record<string, string> = Object.create(null);
  for (const pair of pairs) {
    // On Windows a variable's name can begin with the sign.
    const at = pair.indexOf("=", 1);
    // The first of two is the one that `getenv` finds.
    if (at > 0 && !(pair.slice(0, at) in result)) result[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return result;
};
