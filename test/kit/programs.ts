import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = process.env.INTERLOCK_TEST_BIN ?? fileURLToPath(new URL("../../dist/bin", import.meta.url));

/** A built program, as a user runs it: dist/bin, or the folder that INTERLOCK_TEST_BIN names. */
export const program = (name: "interlock" | "interlock-sidecar" | "upkeep-worker"): string => {
  const path = join(built, `${name}.js`);
  if (!existsSync(path)) throw new Error(`${path} is missing; run npm run build`);
  return path;
};
