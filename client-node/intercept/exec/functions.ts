import { promisify } from "node:util";
import type { Guard } from "../ask.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { refusedArguments } from "../refused-arguments.ts";
import { type AnyFunction, isGuarded } from "../wrap.ts";
import { type Call, heldEnvironment, type ReadCall } from "./call.ts";
import { faced } from "./face.ts";
import type { Inheritance } from "./inheritance.ts";
import { hasTicket, withTicket } from "./judged.ts";
import { requireGuarded } from "./loses-guard.ts";
import { marksOf, unmarked } from "./marks.ts";
import type { Plan } from "./plan.ts";
import { refusedChild } from "./refused-child.ts";
import { changedCall, viewOf } from "./view.ts";

/** One function of `child_process`: how it is read, what it starts, and how Node is called again. */
export interface Form {
  readonly action: string;
  readonly read: ReadCall;
  readonly plan: (call: Call) => Plan;
  readonly argumentsOf: (call: Call) => unknown[];
  /** What Node would look up itself is fixed before it is judged what starts. */
  readonly settle?: (call: Call) => Call;
}

/** The call that may run. @throws BlockedError */
const judged = (
  { action, plan, settle }: Form,
  call: Call,
  guard: Guard,
  inheritance: Inheritance | null,
): { readonly call: Call; readonly plan: Plan } => {
  const marks = refusedArguments(action, () => marksOf(call));
  const { args: changed } = guard.askSync(action, { ...viewOf(call), ...marks });
  const permitted =
    changed === null ? call : refusedArguments(action, () => changedCall(call, unmarked(changed, marks)));
  const settled = settle?.(permitted) ?? permitted;
  const starts = plan(settled);
  requireGuarded(starts, guard, inheritance);
  return { call: inheriting(settled, inheritance), plan: starts };
};

const readCall = ({ action, read }: Form, args: readonly unknown[]): Call | null =>
  refusedArguments(action, () => read(args));

/** `spawnSync`, `execSync`, `execFileSync`: a refusal is thrown. */
export const guardedSync = <F extends AnyFunction>(
  original: F,
  form: Form,
  guard: Guard,
  inheritance: Inheritance | null,
): F => {
  if (isGuarded(original)) return original;
  function guarded(this: unknown, ...args: unknown[]): unknown {
    const call = readCall(form, args);
    if (call === null) return Reflect.apply(original, this, args);
    return Reflect.apply(original, this, form.argumentsOf(judged(form, call, guard, inheritance).call));
  }
  return faced(guarded, original);
};

const inheriting = (call: Call, inheritance: Inheritance | null): Call => {
  if (inheritance === null) return call;
  const env = call.options?.env;
  const given = typeof env === "object" && env !== null ? env : process.env;
  return { ...call, options: { ...call.options, env: inheritance.environment(heldEnvironment(given)) } };
};

/**
 * `spawn`, `fork`, `exec`, `execFile`: the process is returned at once. A refusal goes to the callback; without one it is
 * thrown. The promisified form is guarded as well: its promise rejects, and has `child` as Node's has.
 */
export const guardedStart = <F extends AnyFunction>(
  original: F,
  form: Form,
  guard: Guard,
  inheritance: Inheritance | null,
): F => {
  if (isGuarded(original)) return original;
  const started = (run: AnyFunction, self: unknown, args: readonly unknown[], refuse: Refusal): unknown => {
    const call = readCall(form, args);
    if (call === null || hasTicket(form.plan(call))) return Reflect.apply(run, self, args);
    let permitted: ReturnType<typeof judged>;
    try {
      permitted = judged(form, call, guard, inheritance);
    } catch (error) {
      return refuse(error, call);
    }
    return withTicket(permitted.plan, () => Reflect.apply(run, self, form.argumentsOf(permitted.call)));
  };
  function guarded(this: unknown, ...args: unknown[]): unknown {
    return started(original, this, args, refuseStart);
  }
  const promised = (original as { [promisify.custom]?: AnyFunction })[promisify.custom];
  if (promised === undefined) return faced(guarded, original);
  function guardedPromise(this: unknown, ...args: unknown[]): unknown {
    return started(promised as AnyFunction, this, args, refusePromise);
  }
  return faced(guarded, original, new Map([[promisify.custom, faced(guardedPromise, promised)]]));
};

type Refusal = (error: unknown, call: Call) => unknown;

const refuseStart: Refusal = (error, { callback }) => {
  if (typeof callback !== "function") throw error;
  return refusedChild(error, callback as (...args: unknown[]) => void);
};

const refusePromise: Refusal = (error) =>
  Object.assign(promiseOfProgram(Promise.reject(error)), { child: refusedChild(error, null) });
