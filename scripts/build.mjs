// Compiles what runs: the rule-writing SDK and the Node client as plain modules with types, the commands as one file
// each (a bundle starts faster than the modules it is made of).
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleClient } from "./build/client-bundles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

rmSync("dist", { recursive: true, force: true });
rmSync("client-node/dist", { recursive: true, force: true });

const tsc = (project) => execFileSync("node_modules/.bin/tsc", ["-p", project], { stdio: "inherit" });
tsc("rules/tsconfig.json");
if (existsSync("client-node/tsconfig.json")) {
  tsc("client-node/tsconfig.json");
  await bundleClient("client-node/dist");
}

const entries = {
  "interlock-sidecar": "bin/interlock-sidecar.ts",
  "engine-worker": "daemon/engine-worker.ts",
  "upkeep-worker": "daemon/ledger/upkeep-worker.ts",
  "loading-worker": "daemon/rulesets/loading-worker.ts",
  interlock: "bin/interlock.ts",
};
const present = Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(path)));
await build({
  entryPoints: present,
  outdir: "dist/bin",
  bundle: true,
  splitting: true,
  chunkNames: "chunk-[hash]",
  platform: "node",
  target: "node20.16",
  format: "esm",
  external: ["esbuild"],
  banner: {
    js: 'import { createRequire as interlockRequire } from "node:module"; const require = interlockRequire(import.meta.url);',
  },
  legalComments: "none",
  logLevel: "warning",
});
for (const name of ["interlock", "interlock-sidecar"]) {
  const path = `dist/bin/${name}.js`;
  if (existsSync(path)) chmodSync(path, 0o755);
}
