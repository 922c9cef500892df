import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Export } from "../../client-node/intercept/coverage/inventory.ts";

/** One version of Node, and whether each of its exports is a plain value. */
export interface Inventory {
  readonly major: number;
  readonly version: string;
  readonly exports: ReadonlyMap<string, boolean>;
}

/** Whatever adds an export: also what Node has behind a flag. */
const flags: Readonly<Record<number, readonly string[]>> = {
  20: ["--experimental-permission"],
  22: ["--permission", "--experimental-webstorage"],
  24: ["--permission", "--experimental-webstorage", "--experimental-stream-iter"],
};
const everywhere = ["--experimental-eventsource", "--experimental-vm-modules", "--expose-gc", "--no-warnings"];
const permitted = ["--allow-fs-read=*", "--allow-worker"];

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The binaries of client-node/testing/runtimes, so that the page is the same on every machine. */
const binary = (major: number): string => {
  const path = at(`../../client-node/testing/runtimes/node_modules/node${major}/bin/node`);
  if (!existsSync(path)) throw new Error("run `npm ci` in client-node/testing/runtimes");
  return path;
};

/** Every export of Node 20, 22 and 24. */
export const inventories = async (): Promise<readonly Inventory[]> => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-coverage-"));
  try {
    const program = join(folder, "print-inventory.mjs");
    await build({
      entryPoints: [at("./print-inventory.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      target: "node20.16",
      format: "esm",
      logLevel: "warning",
    });
    return await Promise.all([20, 22, 24].map((major) => inventoryOf(major, program)));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const inventoryOf = async (major: number, program: string): Promise<Inventory> => {
  const node = binary(major);
  const version = (await output(node, ["--version"])).trim().slice(1);
  const printed = await output(node, [...(flags[major] ?? []), ...permitted, ...everywhere, program]);
  const exports = new Map<string, boolean>();
  for (const { name, isValue } of JSON.parse(printed) as readonly Export[]) {
    exports.set(name, isValue && exports.get(name) !== false);
  }
  return { major, version, exports };
};

/** With a channel to the parent: a child process has members of `process` that others lack. */
const output = (node: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(text) : reject(new Error(`${node} ended with ${code}`))));
  });
