import { type Installed, type InterceptorOptions, installInterceptors } from "./install.ts";
import { installedCoverage } from "./installed.ts";

/**
 * `installInterceptors`, under the name that programs written for ES modules call. No loader is registered: the named exports of
 * the builtins follow what is guarded, in modules that were linked before as well, and a loader would break circular imports
 * and bundles.
 *
 * @throws TypeError an option that `installInterceptors` does not know
 */
export const registerEsmInterceptors = (options: InterceptorOptions): Installed => installInterceptors(options);

/** Are this thread's named imports of builtins guarded? */
export const esmLoaderRegistered = (): boolean => installedCoverage() !== null;
