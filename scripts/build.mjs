// Compiles what runs: the rule-writing SDK and the Node client as plain modules with types, the commands and the daemon's
// threads as bundles (a bundle starts faster than the modules it is made of).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
// A build for each entry, so that what it always loads is few files: parts shared between entries would be a file for
// each set of entries that share them, and a thread's start a hundred of them. Names stay: errors are told by theirs.
const bundle = (name, path) =>
  build({
    entryPoints: { [name]: path },
    outdir: "dist/bin",
    bundle: true,
    splitting: true,
    chunkNames: `${name}-[hash]`,
    platform: "node",
    target: "node20.16",
    format: "esm",
    external: ["esbuild"],
    banner: {
      js: 'import { createRequire as interlockRequire } from "node:module"; const require = interlockRequire(import.meta.url);',
    },
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "warning",
  });
await Promise.all(
  Object.entries(entries)
    .filter(([, path]) => existsSync(path))
    .map(([name, path]) => bundle(name, path)),
);
// What the daemon is, for what it remembers of rule sets that passed under it (daemon/build-id.ts).
const built = createHash("sha256");
for (const name of readdirSync("dist/bin").sort()) built.update(`${name}\n`).update(readFileSync(`dist/bin/${name}`));
writeFileSync("dist/bin/build-id", `${built.digest("hex")}\n`);
for (const name of ["interlock", "interlock-sidecar"]) {
  const path = `dist/bin/${name}.js`;
  if (existsSync(path)) chmodSync(path, 0o755);
}
