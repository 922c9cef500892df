/** Limits of contracts, each with its unit in its name. `defineTool` and `defineRules` refuse what is beyond them. */

export const maxToolsPerSet = 1_000;
export const maxBoundsPerTool = 64;
export const maxExamplesPerTool = 256;
export const maxPathsPerTool = 64;
export const defaultLease_s = 300;
export const maxLease_s = 7 * 24 * 3600;
export const defaultWindow_s = 24 * 3600;
export const maxWindow_s = 366 * 24 * 3600;
export const defaultWait_ms = 2_000;
export const maxWait_ms = 60_000;
/** How long a fact may be used again. */
export const maxFresh_ms = 3_600_000;
