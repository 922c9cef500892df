// `node --import interlock-guard/esm-hook app.mjs`: the program runs guarded, or not at all. By the one file that
// `--require` takes: a hundred modules would more than double the time that a program takes to start.
import { createRequire } from "node:module";
import { requireHookPath } from "./require-hook-path.ts";

createRequire(import.meta.url)(requireHookPath);
