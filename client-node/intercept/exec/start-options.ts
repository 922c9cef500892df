import { texts } from "./call.ts";
import { cwdOf, type Plan } from "./plan.ts";

/** What `ChildProcess.prototype.spawn` and the handle beneath it start. */
export interface StartOptions extends Record<string, unknown> {
  readonly file: string;
  readonly args?: readonly string[];
  readonly envPairs?: readonly string[];
}

export const startPlan = ({ file, args = [], cwd }: StartOptions): Plan => ({ file, args, cwd: cwdOf(cwd) });

/** A copy, each member read once. Null: they start nothing that the guard knows. */
export const heldStart = (given: unknown): StartOptions | null => {
  if (typeof given !== "object" || given === null) return null;
  // What is inherited counts as well: Node reads these by name.
  const { file, args, envPairs, cwd } = given as Record<string, unknown>;
  if (typeof file !== "string") return null;
  const argv = textsOrNone(args);
  const pairs = textsOrNone(envPairs);
  if (argv === null || pairs === null) return null;
  const held: Record<string, unknown> = { ...given };
  delete held.args;
  delete held.envPairs;
  return {
    ...held,
    file,
    cwd,
    ...(argv === undefined ? {} : { args: argv }),
    ...(pairs === undefined ? {} : { envPairs: pairs }),
  };
};

const textsOrNone = (value: unknown): readonly string[] | undefined | null => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? texts(value, false) : null;
};

/** The arguments of a handle's `spawn`, and how they are made again. */
export interface HandleStart {
  readonly options: StartOptions;
  again(options: StartOptions): unknown[];
}

/** One object in Node 20 and 22; `(file, args, cwd, envPairs, ...)` in Node 24. Null: neither. */
export const heldHandleStart = (given: readonly unknown[]): HandleStart | null => {
  if (typeof given[0] !== "string") {
    const options = heldStart(given[0]);
    return options === null ? null : { options, again: (changed) => [changed, ...given.slice(1)] };
  }
  const [file, args, cwd, envPairs, ...rest] = given;
  const options = heldStart({ file, args, cwd, envPairs });
  if (options === null) return null;
  return { options, again: (changed) => [changed.file, changed.args, changed.cwd, changed.envPairs, ...rest] };
};
