// `node --require interlock-guard/require-hook app.cjs`, and what worker threads and child processes are given. Compiled into one
// CommonJS file, because Node 20 cannot require a module, and does not `--import` into a worker that runs a text.
import { preload } from "./preload.ts";

preload();
