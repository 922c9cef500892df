import module from "node:module";

/**
 * The variable that names a folder of compiled code. Node looks there before any preload, and runs what it finds in the place of the
 * preload's text; a program can have written it. Empty, it names none, and no `--env-file` sets it. A program that calls
 * `module.enableCompileCache` has its cache all the same: the guard is loaded by then.
 */
export const compileCacheVariable = "NODE_COMPILE_CACHE";

/** A process or thread with this variable loads the guard from its own file. */
export const withoutCompileCache = Object.freeze({ [compileCacheVariable]: "" });

export const canCacheCode = "enableCompileCache" in module;

/** Node's, which threads are given, whatever a program puts in its place. */
export const ownEnvironment = process.env;

/** Before a thread of Node's own starts, which shares it. */
export const forgetCompileCache = (): void => {
  if (ownEnvironment[compileCacheVariable]) Object.assign(ownEnvironment, withoutCompileCache);
};
