import { fileURLToPath } from "node:url";

/** The compiled CommonJS preload: for `--require`, in `execArgv` or `NODE_OPTIONS`. */
export const requireHookPath: string = fileURLToPath(new URL("./require-hook.cjs", import.meta.url));
