// `node --import interlock-guard/esm-hook app.mjs`: the program runs guarded, or not at all.
import { preload } from "./preload.ts";

preload();
