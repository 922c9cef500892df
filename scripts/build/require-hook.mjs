import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const entry = fileURLToPath(new URL("../../client-node/intercept/require-hook.ts", import.meta.url));

/** Makes the one CommonJS file of the client's preload, beside the compiled modules in `dist`. */
export const bundleRequireHook = (dist) =>
  build({
    entryPoints: [entry],
    outfile: join(dist, "client-node/intercept/require-hook.cjs"),
    bundle: true,
    platform: "node",
    target: "node20.16",
    format: "cjs",
    define: { "import.meta.url": "interlockUrl" },
    banner: { js: 'const interlockUrl = require("node:url").pathToFileURL(__filename).href;' },
    legalComments: "none",
    logLevel: "warning",
  });
