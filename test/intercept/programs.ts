import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { shortDirectory } from "../kit/place.ts";
import { type Ended, start } from "../kit/processes.ts";
import { rule, ruleModule } from "../kit/rules.ts";

const built = new URL("../../client-node/dist/client-node/", import.meta.url);

/** The compiled client, as programs import it. */
export const client = new URL("index.js", built).href;
export const esmHook = new URL("intercept/esm-hook.js", built).href;
export const requireHook = fileURLToPath(new URL("intercept/require-hook.cjs", built));
export const syncBridge = new URL("intercept/sync-bridge.js", built).href;

/** Blocks every path with "secret" in it; about everything else it is silent. */
export const secretRules = ruleModule(
  rule("secret", 'return String(event.args.path).includes("secret") ? block("is a secret") : undefined;', {
    actions: ["fs.stat", "fs.readFile", "fs.readdir", "fs.writeFile", "fs.open", "fs.lstat", "fs.access"],
  }),
);

const folder = shortDirectory();
let count = 0;

/** A program of this text, in a file of its own; its URL. */
export const programOf = (text: string, extension: "mjs" | "cjs" = "mjs"): string => {
  const path = join(folder, `${++count}.${extension}`);
  writeFileSync(path, text);
  return pathToFileURL(path).href;
};

/** Runs `node ARGS FILE` to its end. */
export const runProgram = (
  args: readonly string[],
  url: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const [first = fileURLToPath(url), ...rest] = [...args, fileURLToPath(url)];
  return start(first, rest, { env: { ...env } }).ended;
};

/** What a program says in its last line, as JSON. */
export const saidBy = ({ code, stdout, stderr }: Ended): unknown => {
  if (code !== 0) throw new Error(`ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
};
