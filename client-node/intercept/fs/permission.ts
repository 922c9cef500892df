import { blocked } from "../../ask.ts";
import { sameView } from "../../same-view.ts";
import type { Guard, Permission } from "../ask.ts";
import { refusedArguments } from "../refused-arguments.ts";
import type { FileSpec, Resolved } from "./file-spec.ts";

/** A path whose links change while it is asked about is asked about again, so many times in all. */
const mostQuestions = 3;

/** The arguments that may run; the caller waits. @throws BlockedError */
export const permittedFileSync = (spec: FileSpec, runs: readonly unknown[], guard: Guard): readonly unknown[] => {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const { resolved, view } = question(spec, runs);
    const permission = guard.askSync(spec.action, view);
    if (isStill(spec, runs, resolved)) return outcome(spec, runs, resolved, permission);
  }
  throw moving(spec);
};

/** The arguments that may run. Rejects with BlockedError. */
export const permittedFile = async (
  spec: FileSpec,
  runs: readonly unknown[],
  guard: Guard,
): Promise<readonly unknown[]> => {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const { resolved, view } = question(spec, runs);
    const permission = await guard.ask(spec.action, view);
    if (isStill(spec, runs, resolved)) return outcome(spec, runs, resolved, permission);
  }
  throw moving(spec);
};

const question = (spec: FileSpec, runs: readonly unknown[]) =>
  refusedArguments(spec.action, () => {
    const resolved = spec.resolve(runs);
    return { resolved, view: spec.project(runs, resolved) };
  });

/** Do the paths still lead where they led? What is left open is the time from here to the system call. */
const isStill = (spec: FileSpec, runs: readonly unknown[], resolved: Resolved): boolean =>
  sameView(spec.resolve(runs), resolved);

const outcome = (
  spec: FileSpec,
  runs: readonly unknown[],
  resolved: Resolved,
  { args }: Permission,
): readonly unknown[] => (args === null ? runs : refusedArguments(spec.action, () => spec.apply(runs, resolved, args)));

const moving = (spec: FileSpec): Error =>
  blocked(spec.action, "a symbolic link on its path was changed while the guard was asked");
