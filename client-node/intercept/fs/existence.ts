import { promisify } from "node:util";
import { ownPromise } from "../../own-promise.ts";
import type { Guard } from "../ask.ts";
import { promiseOfProgram } from "../program-realm.ts";
import { held, like, passes } from "./forms.ts";
import type { AnyFunction, Member } from "./member.ts";
import { permittedFile, permittedFileSync } from "./permission.ts";
import { run } from "./run.ts";

/**
 * `existsSync` answers `false` for what may not be asked about, as it does for a folder that may not be searched: it has never thrown,
 * and a program that does not expect an error would go on with it.
 */
export const guardExistsSync = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  function guarded(this: unknown, ...args: unknown[]): unknown {
    if (passes(member, args)) return Reflect.apply(original, this, args);
    try {
      const runs = held(member, args);
      if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
      return run(member, original, this, permittedFileSync(member.spec, runs, guard).runs);
    } catch {
      return false;
    }
  }
  return like(guarded, original);
};

/** `exists`, whose callback has no place for an error: an error there would read as "it exists". */
export const guardExists = <F extends AnyFunction>(original: F, member: Member, guard: Guard): F => {
  const answer = async (self: unknown, path: unknown, callback: AnyFunction): Promise<void> => {
    try {
      const { runs } = await ownPromise(permittedFile(member.spec, [path], guard));
      run(member, original, self, [runs[0], callback]);
    } catch {
      later(callback, false);
    }
  };
  function guarded(this: unknown, ...args: unknown[]): unknown {
    const callback = args[1];
    if (passes(member, args) || typeof callback !== "function") return Reflect.apply(original, this, args);
    const runs = held(member, args);
    if (!member.spec.reaches(runs)) return Reflect.apply(original, this, runs);
    void answer(this, runs[0], callback as AnyFunction);
    return undefined;
  }
  return like(guarded, original, (property, key) =>
    key === promisify.custom ? promised(guarded, property) : property,
  );
};

const later = process.nextTick.bind(process) as (callback: AnyFunction, answer: boolean) => void;

const promised = (exists: AnyFunction, original: AnyFunction): AnyFunction =>
  like((path: unknown) => promiseOfProgram(new Promise((resolve) => exists(path, resolve))), original);
