import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Place } from "../../../../test/kit/place.ts";
import { type Ended, start } from "../../../../test/kit/processes.ts";

/** The compiled client: client-node/dist, or the folder that INTERLOCK_TEST_CLIENT names. */
export const client = process.env.INTERLOCK_TEST_CLIENT ?? fileURLToPath(new URL("../../../dist", import.meta.url));

/** The built preload, as a user has it. */
const preload = (name: "esm-hook.js" | "require-hook.cjs"): string => {
  const path = join(client, "client-node/intercept", name);
  if (!existsSync(path)) throw new Error(`${path} is missing; run npm run build`);
  return path;
};

let count = 0;

/** Runs the text of a module guarded by a place's daemon; `node --import`, or `--require` for CommonJS. */
export const runGuarded = async (
  place: Place,
  text: string,
  {
    kind = "mjs",
    env = {},
    socket = place.socket,
  }: { kind?: "mjs" | "cjs"; env?: NodeJS.ProcessEnv; socket?: string } = {},
): Promise<Ended> => {
  const program = join(place.home, `program-${count++}.${kind}`);
  await writeFile(program, text);
  const [flag, hook] =
    kind === "mjs"
      ? ["--import", pathToFileURL(preload("esm-hook.js")).href]
      : ["--require", preload("require-hook.cjs")];
  return start(flag, [hook, program], {
    env: { ...place.env, INTERLOCK_SOCKET: socket, INTERLOCK_TIMEOUT: "5", ...env },
    cwd: place.home,
  }).ended;
};

/** Runs a module that prints one line of JSON, and answers what it printed. */
export const saidBy = async (...args: Parameters<typeof runGuarded>): Promise<Record<string, unknown>> => {
  const ended = await runGuarded(...args);
  if (ended.code !== 0) throw new Error(`the program ended with ${ended.code}: ${ended.stderr}`);
  return JSON.parse(ended.stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
};

/** What programs begin with: `said`, which they print at the end, and the ways a call can end. */
export const prelude = `import child_process, * as all from "node:child_process";
import { ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
const require = createRequire(import.meta.url);
const said = {};
const text = (value) => String(value).trim();
const now = (name, step) => { try { said[name] = step(); } catch (error) { said[name] = error.name; } };
const later = async (name, step) => { try { said[name] = await step(); } catch (error) { said[name] = error.name; } };
const output = (child) => new Promise((resolve, reject) => {
  let all = "";
  child.stdout.on("data", (part) => { all += part; });
  child.on("error", reject).on("close", () => resolve(all.trim()));
});
const called = (run) => new Promise((resolve) => {
  let isBack = false;
  run((error, stdout) => resolve([isBack, error === null ? text(stdout) : error.name]));
  isBack = true;
});
`;
export const printed = "console.log(JSON.stringify(said));";
