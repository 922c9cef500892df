import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { capturedBuiltins } from "./captured-builtins.mjs";

const source = fileURLToPath(new URL("../../client-node/intercept/", import.meta.url));

/**
 * Makes the client's CommonJS files beside the compiled modules in `dist`: its preload, what that runs in a realm of its own, and the
 * thread of its bridge.
 */
export const bundleClient = async (dist) => {
  const bundle = (names, more = {}) =>
    build({
      entryPoints: names.map((name) => join(source, `${name}.ts`)),
      outdir: join(dist, "client-node/intercept"),
      outExtension: { ".js": ".cjs" },
      bundle: true,
      platform: "node",
      target: "node20.16",
      format: "cjs",
      define: { "import.meta.url": "interlockUrl" },
      // Modules are strict, and so is what is made of them: a sloppy function turns an undefined `this` into the global object.
      banner: { js: '"use strict"; const interlockUrl = require("node:url").pathToFileURL(__filename).href;' },
      // Not made smaller: for an error that nobody caught Node prints the whole line that threw it.
      legalComments: "none",
      logLevel: "warning",
      ...more,
    });
  await bundle(["require-hook", "sync-worker"]);
  // A realm has JavaScript's globals and none of Node's.
  await bundle(["own-realm"], {
    inject: [join(source, "realm/node-globals.ts")],
    plugins: [capturedBuiltins({ "node:buffer": join(source, "realm/own-buffer.ts") })],
  });
};
