import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runStep } from "./step.mjs";

/** What the build reads. */
const inputs = [
  "wire",
  "rules",
  "daemon",
  "client-node",
  "adapters",
  "bin",
  "scripts/build.mjs",
  "scripts/build",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];
const skipped = new Set(["dist", "node_modules"]);
const stampPath = "dist/.built-from";

function* filesUnder(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!skipped.has(name) && !name.endsWith(".test.ts")) yield* filesUnder(join(path, name));
  }
}

/** One digest over the names and bytes of everything the build reads. */
const digestOfInputs = () => {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const path of filesUnder(input)) {
      const bytes = readFileSync(path);
      hash.update(`${path}\0${bytes.length}\0`).update(bytes);
    }
  }
  return hash.digest("hex");
};

/** Builds `dist` where it was not built from exactly these sources. */
export const buildWhenStale = async () => {
  const digest = digestOfInputs();
  if (existsSync(stampPath) && readFileSync(stampPath, "utf8") === digest) return;
  await runStep("building", process.execPath, ["scripts/build.mjs"]);
  writeFileSync(stampPath, digest);
};
