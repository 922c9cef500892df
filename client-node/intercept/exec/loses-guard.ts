import { blocked } from "../../ask.ts";
import type { Guard } from "../ask.ts";
import { compileCacheVariable } from "../compile-cache.ts";
import { clearsEnvironment } from "./clears-environment.ts";
import { guardVariables } from "./guard-variables.ts";
import type { Inheritance } from "./inheritance.ts";
import { startsBeneath, wordsOf } from "./node-flags.ts";
import type { Plan } from "./plan.ts";

const action = "child_process.unguarded";
const variables: readonly string[] = [...guardVariables, "NODE_OPTIONS", compileCacheVariable];

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
    const how = startsBeneath(word);
    if (how !== null) return how;
  }
  return clearsEnvironment(words) ? "it clears the environment" : null;
};
