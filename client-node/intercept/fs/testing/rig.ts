import { spawn } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleClient } from "../../../../scripts/build/client-bundles.mjs";
import { shortDirectory } from "../../../../test/kit/place.ts";
import { rule, ruleModule } from "../../../../test/kit/rules.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The client as it is installed, built into a folder of its own. */
export const buildClient = async (): Promise<string> => {
  const directory = shortDirectory();
  writeFileSync(join(directory, "package.json"), '{"type":"module"}');
  const tsc = await run(at("../../../../node_modules/.bin/tsc"), [
    "-p",
    at("../../../tsconfig.json"),
    "--outDir",
    directory,
  ]);
  if (tsc.code !== 0) throw new Error(`the client cannot be built: ${tsc.stdout}`);
  await bundleClient(directory);
  return directory;
};

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const run = (program: string, args: readonly string[], cwd?: string, env?: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      timeout: 60_000,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject).once("close", (code) => resolve({ code, stdout, stderr }));
  });

/** A folder with a file that may be read, and one that may not. */
export const folder = (): string => {
  const directory = realpathSync(shortDirectory());
  mkdirSync(join(directory, "secret", "inner"), { recursive: true });
  writeFileSync(join(directory, "secret", "file"), "the secret");
  writeFileSync(join(directory, "secret", "inner", "leaf"), "the secret");
  writeFileSync(join(directory, "allowed"), "the allowed");
  symlinkSync(join(directory, "secret"), join(directory, "innocent"));
  return directory;
};

/** Blocks what leads into a folder `secret`, and turns `asked-for` into `allowed`. */
export const fileRules = ruleModule(
  rule(
    "files",
    `const { path, dest, target, resolved_path, resolved_dest, resolved_target } = event.args;
     const all = [path, dest, target, resolved_path, resolved_dest, resolved_target];
     if (all.some((text) => typeof text === "string" && text.split("/").includes("secret"))) return block("is secret");
     if (typeof path === "string" && path.endsWith("asked-for")) return rewrite({ path: path.replace("asked-for", "allowed") });
     return allow();`,
    { actions: ["fs.*"] },
  ),
);

export const guarded = (build: string, socket: string): NodeJS.ProcessEnv => ({
  INTERLOCK_BUILD: build,
  INTERLOCK_SOCKET: socket,
  NODE_NO_WARNINGS: "1",
});

export const preload = ["--import", at("./guarded.mjs")];
export const everyForm = at("./every-form.mjs");
export const misuse = at("./misuse.mjs");
export const openings = at("./openings.mjs");
export const race = at("./race.mjs");
export const swapper = at("./swapper.mjs");
export const exportsOf = at("./exports.mjs");

const other = (version: number): string => at(`../../../testing/runtimes/node_modules/node${version}/bin/node`);
/** The Node that runs the tests, and the others that the client runs on. */
export const nodes: readonly (readonly [string, string])[] = [
  [process.version.slice(1).split(".")[0] as string, process.execPath],
  ["22", other(22)],
  ["24", other(24)],
];
export const questionsProgram = at("./questions.mjs");
