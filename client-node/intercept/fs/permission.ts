import { blocked } from "../../ask.ts";
import { ownPromise } from "../../own-promise.ts";
import { sameView } from "../../same-view.ts";
import type { Guard, Permission } from "../ask.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { FileSpec, Resolved } from "./file-spec.ts";

/** A path whose links change while it is asked about is asked about again, so many times in all. */
export const mostQuestions = 3;

/** The arguments that may run, and where their paths led when they were judged. */
export interface Permitted {
  readonly runs: readonly unknown[];
  readonly resolved: Resolved;
}

/** The caller waits. @throws BlockedError */
export const permittedFileSync = (spec: FileSpec, runs: readonly unknown[], guard: Guard): Permitted => {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const { resolved, view } = question(spec, runs);
    const permission = guard.askSync(spec.action, view);
    if (isStill(spec, runs, resolved)) return outcome(spec, runs, resolved, permission);
  }
  throw moving(spec);
};

/** Rejects with BlockedError. */
export const permittedFile = async (spec: FileSpec, runs: readonly unknown[], guard: Guard): Promise<Permitted> => {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const { resolved, view } = question(spec, runs);
    const permission = await ownPromise(guard.ask(spec.action, view));
    if (isStill(spec, runs, resolved)) return outcome(spec, runs, resolved, permission);
  }
  throw moving(spec);
};

const question = (spec: FileSpec, runs: readonly unknown[]) =>
  refusedArguments(spec.action, () => {
    const resolved = spec.resolve(runs);
    return { resolved, view: spec.project(runs, resolved) };
  });

/** Do the paths still lead where they led? A swap after this look is seen where the call has a descriptor to show: `judged-descriptor.ts`. */
const isStill = (spec: FileSpec, runs: readonly unknown[], resolved: Resolved): boolean =>
  sameView(spec.resolve(runs), resolved);

const outcome = (spec: FileSpec, runs: readonly unknown[], resolved: Resolved, { args }: Permission): Permitted => {
  if (args === null) return { runs, resolved };
  return refusedArguments(spec.action, () => {
    const changed = spec.apply(runs, resolved, args);
    return { runs: changed, resolved: spec.resolve(changed) };
  });
};

const moving = (spec: FileSpec): Error =>
  blocked(spec.action, "a symbolic link on its path was changed while the guard was asked");
